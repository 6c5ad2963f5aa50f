CREATE TABLE `visit` (
  `id` bigint NOT NULL,
  `at` datetime NOT NULL,
  `page` varchar(80) COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`id`,`at`),
  KEY `by_page` (`page`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
/*!50100 PARTITION BY RANGE (to_days(`at`))
SUBPARTITION BY HASH (`id`)
SUBPARTITIONS 2
(PARTITION p2025 VALUES LESS THAN (739982) ENGINE = InnoDB,
 PARTITION pmax VALUES LESS THAN MAXVALUE COMMENT = 'the rest' ENGINE = InnoDB) */;
