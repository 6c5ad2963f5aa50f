CREATE TABLE `visit` (
  `id` bigint NOT NULL,
  `at` date NOT NULL,
  PRIMARY KEY (`id`,`at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin PARTITION BY HASH (year(`at`)) PARTITIONS 4;
