-- An example. `shardwright import --env staging` writes this file from the live source.
CREATE TABLE `orders` (
  `user_id` bigint unsigned NOT NULL,
  `order_id` bigint NOT NULL,
  `amount` decimal(12,2) NOT NULL,
  `internal_note` text,
  `updated_at` timestamp(6) NOT NULL DEFAULT current_timestamp(6),
  PRIMARY KEY (`user_id`, `order_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `order_items` (
  `user_id` bigint unsigned NOT NULL,
  `order_id` bigint NOT NULL,
  `position` int NOT NULL,
  `product` varchar(100) NOT NULL,
  PRIMARY KEY (`user_id`, `order_id`, `position`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `regions` (
  `region_id` int NOT NULL,
  `name` varchar(100) NOT NULL,
  PRIMARY KEY (`region_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
