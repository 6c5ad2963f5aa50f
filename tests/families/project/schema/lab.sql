CREATE TABLE `parent` (
  `id` int NOT NULL,
  `place` int unsigned NOT NULL,
  `name` varchar(40) COLLATE utf8mb4_bin DEFAULT NULL,
  `note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY `name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `child` (
  `cid` varchar(20) COLLATE utf8mb4_bin NOT NULL,
  `parent_id` bigint DEFAULT NULL,
  `mark` varchar(40) COLLATE utf8mb4_bin DEFAULT NULL,
  `bytes` varbinary(20) DEFAULT NULL,
  `note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',
  PRIMARY KEY (`cid`),
  UNIQUE KEY `mark` (`mark`),
  KEY `of_parent` (`parent_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `detail` (
  `of` int NOT NULL,
  `line` int NOT NULL,
  `at` datetime(6) DEFAULT NULL,
  `amount` decimal(12,3) DEFAULT NULL,
  `note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',
  PRIMARY KEY (`of`,`line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
