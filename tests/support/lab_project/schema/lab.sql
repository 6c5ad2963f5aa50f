CREATE TABLE `parent` (
  `id` int NOT NULL,
  `place` int unsigned NOT NULL,
  `name` varchar(40) COLLATE utf8mb4_bin DEFAULT NULL,
  `note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY `name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `child` (
  `id` int NOT NULL,
  `line` int NOT NULL,
  `place` int unsigned NOT NULL,
  `note` varchar(100) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',
  PRIMARY KEY (`id`,`line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
