CREATE TABLE `users` (
  `id` bigint NOT NULL,
  `name` varchar(20) NOT NULL,
  `balance` int DEFAULT NULL,
  `region_code` int DEFAULT NULL,
  `email` varchar(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_email` (`email`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `orders` (
  `order_id` bigint unsigned NOT NULL,
  `user_id` bigint NOT NULL,
  `status` varchar(10) NOT NULL,
  `amount` int NOT NULL,
  `note` varchar(20) DEFAULT NULL,
  `region_code` int DEFAULT NULL,
  PRIMARY KEY (`order_id`),
  KEY `idx_user` (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `items` (
  `order_id` bigint unsigned NOT NULL,
  `line_no` int NOT NULL,
  `sku` varchar(10) NOT NULL,
  `quantity` int DEFAULT NULL,
  PRIMARY KEY (`order_id`,`line_no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `payment` (
  `payment_no` varchar(12) COLLATE utf8mb4_bin NOT NULL,
  `order_id` bigint unsigned NOT NULL,
  `user_id` bigint NOT NULL,
  `paid` int DEFAULT NULL,
  PRIMARY KEY (`payment_no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `visit` (
  `id` int NOT NULL,
  `login` varchar(10) NOT NULL,
  `user_id` bigint NOT NULL,
  `pages` int NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `device` (
  `tenant` int NOT NULL,
  `code` varchar(8) COLLATE utf8mb4_bin NOT NULL,
  `user_id` bigint NOT NULL,
  `label` varchar(10) DEFAULT NULL,
  PRIMARY KEY (`tenant`,`code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `region` (
  `code` int NOT NULL,
  `title` varchar(10) NOT NULL,
  PRIMARY KEY (`code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `setting` (
  `id` int NOT NULL,
  `value` int NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
