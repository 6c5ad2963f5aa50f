-- account: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `account${suffix}` (
  `id` INT NOT NULL,
  `user_id` BIGINT NOT NULL,
  `shop` VARCHAR(64) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL CHECK (CAST(`shop` AS BINARY) IN ('old_0', 'old_1')),
  PRIMARY KEY (`id`, `shop`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
