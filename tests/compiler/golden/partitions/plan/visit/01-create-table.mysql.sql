-- visit: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `visit${suffix}` (
  `id` BIGINT NOT NULL,
  `seen_at` DATETIME NOT NULL,
  `page` VARCHAR(80) COLLATE `utf8mb4_bin` NOT NULL,
  PRIMARY KEY (`id`, `seen_at`),
  INDEX `by_page` (`page`)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin PARTITION BY RANGE (TO_DAYS(`seen_at`)) SUBPARTITION BY HASH (`id`) SUBPARTITIONS 2 (
  PARTITION `p2025` VALUES LESS THAN (739982),
  PARTITION `pmax` VALUES LESS THAN MAXVALUE COMMENT = 'the rest'
);

-- statement: bare -- Instead, while rows are copied: the indexes that follow are left out.
CREATE TABLE IF NOT EXISTS `visit${suffix}` (
  `id` BIGINT NOT NULL,
  `seen_at` DATETIME NOT NULL,
  `page` VARCHAR(80) COLLATE `utf8mb4_bin` NOT NULL,
  PRIMARY KEY (`id`, `seen_at`)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin PARTITION BY RANGE (TO_DAYS(`seen_at`)) SUBPARTITION BY HASH (`id`) SUBPARTITIONS 2 (
  PARTITION `p2025` VALUES LESS THAN (739982),
  PARTITION `pmax` VALUES LESS THAN MAXVALUE COMMENT = 'the rest'
);

-- statement: indexes -- Once all rows are copied, while the stream continues.
ALTER TABLE `visit${suffix}`
ADD INDEX `by_page` (`page`),   ALGORITHM=INPLACE,
  LOCK=NONE;
