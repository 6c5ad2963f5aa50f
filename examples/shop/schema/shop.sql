-- The shop before it is split: one database, order items spread over four tables by order_id % 4.

CREATE TABLE `users` (
  -- shardwright: ignore[SW4302] because sign-up takes ids from the identity service once it writes to the shards
  `id` bigint NOT NULL AUTO_INCREMENT,
  `email` varchar(120) COLLATE utf8mb4_bin NOT NULL,
  `name` varchar(60) NOT NULL,
  `phone` varchar(20) DEFAULT NULL,
  `balance` decimal(14,4) NOT NULL DEFAULT 0.0000,
  `is_active` tinyint(1) NOT NULL DEFAULT 1,
  `birthday` date DEFAULT NULL,
  `created_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_email` (`email`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `region` (
  `code` int NOT NULL,
  `name` varchar(60) NOT NULL,
  `tax_rate` decimal(6,4) DEFAULT NULL,
  PRIMARY KEY (`code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `order_info` (
  `order_id` bigint unsigned NOT NULL,
  `user_id` bigint NOT NULL,
  `status` enum('new','paid','shipped','closed','cancelled') NOT NULL DEFAULT 'new',
  `amount` decimal(12,2) NOT NULL,
  `note` text DEFAULT NULL,
  `internal_note` varchar(200) DEFAULT NULL,
  `region_code` int DEFAULT NULL,
  `updated_at` timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
  PRIMARY KEY (`order_id`),
  KEY `idx_user_status` (`user_id`,`status`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `order_item_0` (
  `order_id` bigint unsigned NOT NULL,
  `line_no` smallint unsigned NOT NULL,
  `user_id` bigint NOT NULL,
  `sku` varchar(40) COLLATE utf8mb4_bin NOT NULL,
  `quantity` int NOT NULL,
  `price` decimal(10,2) NOT NULL,
  PRIMARY KEY (`order_id`,`line_no`),
  KEY `idx_user` (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `order_item_1` (
  `order_id` bigint unsigned NOT NULL,
  `line_no` smallint unsigned NOT NULL,
  `user_id` bigint NOT NULL,
  `sku` varchar(40) COLLATE utf8mb4_bin NOT NULL,
  `quantity` int NOT NULL,
  `price` decimal(10,2) NOT NULL,
  PRIMARY KEY (`order_id`,`line_no`),
  KEY `idx_user` (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `order_item_2` (
  `order_id` bigint unsigned NOT NULL,
  `line_no` smallint unsigned NOT NULL,
  `user_id` bigint NOT NULL,
  `sku` varchar(40) COLLATE utf8mb4_bin NOT NULL,
  `quantity` int NOT NULL,
  `price` decimal(10,2) NOT NULL,
  PRIMARY KEY (`order_id`,`line_no`),
  KEY `idx_user` (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `order_item_3` (
  `order_id` bigint unsigned NOT NULL,
  `line_no` smallint unsigned NOT NULL,
  `user_id` bigint NOT NULL,
  `sku` varchar(40) COLLATE utf8mb4_bin NOT NULL,
  `quantity` int NOT NULL,
  `price` decimal(10,2) NOT NULL,
  PRIMARY KEY (`order_id`,`line_no`),
  KEY `idx_user` (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `payment` (
  `payment_no` varchar(32) COLLATE utf8mb4_bin NOT NULL,
  `order_id` bigint unsigned NOT NULL,
  `user_id` bigint NOT NULL,
  `method` set('card','wallet','voucher','cash') NOT NULL,
  `paid` decimal(12,2) NOT NULL,
  `paid_at` datetime(3) DEFAULT NULL,
  `signature` varbinary(64) DEFAULT NULL,
  `reply` text DEFAULT NULL,
  PRIMARY KEY (`payment_no`),
  KEY `idx_order` (`order_id`),
  KEY `idx_user` (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
