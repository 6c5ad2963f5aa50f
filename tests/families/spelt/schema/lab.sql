CREATE TABLE `parent` (
  `code` varchar(20) COLLATE utf8mb4_general_ci NOT NULL,
  `place` int unsigned NOT NULL,
  `note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',
  PRIMARY KEY (`code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `child` (
  `name` varchar(20) COLLATE utf8mb4_general_ci NOT NULL,
  `parent_code` varchar(40) COLLATE utf8mb4_general_ci DEFAULT NULL,
  `note` varchar(100) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  PRIMARY KEY (`name`),
  KEY `of_parent` (`parent_code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
