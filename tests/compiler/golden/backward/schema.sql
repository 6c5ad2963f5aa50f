CREATE TABLE `account` (
  `id` int unsigned NOT NULL,
  `email` varchar(80) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL,
  `kind` enum('free','paid') CHARACTER SET latin1 COLLATE latin1_bin NOT NULL,
  `limit_amount` decimal(8,2) NOT NULL DEFAULT 0.00,
  `born` date DEFAULT NULL,
  `phone` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `internal_note` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `seen_at` timestamp NULL DEFAULT NULL ON UPDATE current_timestamp(),
  `doubled` bigint AS (`id` * 2),
  `active` tinyint NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `by_email` (`email`, `id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `entry_0` (
  `no` bigint NOT NULL,
  `account_id` int unsigned NOT NULL,
  `text` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`account_id`, `no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `entry_1` (
  `no` bigint NOT NULL,
  `account_id` int unsigned NOT NULL,
  `text` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`account_id`, `no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `attachment` (
  `entry_no` bigint NOT NULL,
  `part` smallint NOT NULL,
  `content` varbinary(200) NOT NULL,
  PRIMARY KEY (`entry_no`, `part`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `message` (
  `account_id` int unsigned NOT NULL,
  `no` int NOT NULL,
  `body` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`account_id`, `no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `country` (
  `code` char(2) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` varchar(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TRIGGER `account_counted` AFTER INSERT ON `account` FOR EACH ROW UPDATE `counter` SET `n` = `n` + 1;
