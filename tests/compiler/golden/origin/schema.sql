CREATE TABLE `invoice` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `customer_id` bigint(20) NOT NULL,
  `number` varchar(20) NOT NULL,
  `token` varchar(20) DEFAULT NULL UNIQUE,
  `total` int(11) NOT NULL,
  `note` varchar(100) DEFAULT NULL,
  UNIQUE KEY `by_number` (`number`),
  KEY `by_customer` (`customer_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `visit_a` (
  `customer_id` bigint(20) NOT NULL,
  `no` int(11) NOT NULL,
  `seen` datetime DEFAULT NULL,
  PRIMARY KEY (`customer_id`, `no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `visit_b` (
  `customer_id` bigint(20) NOT NULL,
  `no` int(11) NOT NULL,
  `seen` datetime DEFAULT NULL,
  PRIMARY KEY (`customer_id`, `no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
