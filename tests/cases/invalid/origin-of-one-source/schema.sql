CREATE TABLE `orders_0` (
  `id` bigint(20) NOT NULL,
  `user_id` int(10) unsigned NOT NULL,
  `shop` varchar(20) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `orders_1` (
  `id` bigint(20) NOT NULL,
  `user_id` int(10) unsigned NOT NULL,
  `shop` varchar(20) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
