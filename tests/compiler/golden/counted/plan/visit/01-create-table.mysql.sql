-- visit: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `visit${suffix}` (
  `user_id` BIGINT NOT NULL,
  `path` VARCHAR(200) COLLATE `utf8mb4_bin` NOT NULL,
  `at` DATETIME(3) DEFAULT NULL,
  `seconds` FLOAT DEFAULT NULL,
  `ip` VARBINARY(16) DEFAULT NULL,
  `tenth` TINYINT NOT NULL,
  INDEX `at` (`at`)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_general_ci;
