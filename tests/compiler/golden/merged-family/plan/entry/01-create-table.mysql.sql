-- entry: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `entry${suffix}` (
  `id` INT NOT NULL,
  `account_id` INT,
  `of_shop` VARCHAR(64) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL CHECK (CAST(`of_shop` AS BINARY) IN ('old_0', 'old_1')),
  PRIMARY KEY (`id`, `of_shop`),
  INDEX `of_account` (`account_id`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
