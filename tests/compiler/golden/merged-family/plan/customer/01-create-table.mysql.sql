-- customer: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `customer${suffix}` (
  `id` INT NOT NULL PRIMARY KEY,
  `user_id` BIGINT NOT NULL
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
