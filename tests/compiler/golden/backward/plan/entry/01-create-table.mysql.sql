-- entry: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `entry${suffix}` (
  `no` BIGINT NOT NULL,
  `account_id` INT UNSIGNED NOT NULL,
  `text` VARCHAR(200) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL,
  PRIMARY KEY (`account_id`, `no`)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
