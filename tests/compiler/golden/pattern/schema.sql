CREATE TABLE `order_item_0` (
  `order_id` bigint NOT NULL,
  `line_no` smallint unsigned NOT NULL,
  `sku` varchar(40) DEFAULT NULL,
  `kind` enum('goods','service') NOT NULL DEFAULT 'goods',
  PRIMARY KEY (`order_id`,`line_no`),
  UNIQUE KEY `u_sku` (`order_id`,`sku`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

CREATE TABLE `order_item_1` (
  `order_id` bigint NOT NULL,
  `line_no` smallint unsigned NOT NULL,
  `sku` varchar(40) DEFAULT NULL,
  `kind` enum('goods','service') NOT NULL DEFAULT 'goods',
  PRIMARY KEY (`order_id`,`line_no`),
  UNIQUE KEY `u_sku` (`order_id`,`sku`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
