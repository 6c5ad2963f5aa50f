CREATE TABLE `order_info` (
  `order_no` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `buyer_id` bigint(20) unsigned NOT NULL,
  `invoice` int(11) DEFAULT NULL,
  `amt` decimal(12,2) NOT NULL DEFAULT 0.00,
  `weight` float DEFAULT NULL,
  `internal_note` text DEFAULT NULL,
  `signature` varbinary(64) DEFAULT NULL,
  `updated_at` timestamp(6) NOT NULL DEFAULT current_timestamp(6) ON UPDATE current_timestamp(6),
  PRIMARY KEY (`order_no`),
  UNIQUE KEY `invoice` (`invoice`),
  KEY `buyer` (`buyer_id`,`updated_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
