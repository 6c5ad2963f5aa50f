-- remark: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `remark${suffix}` (
  `id` INT NOT NULL PRIMARY KEY,
  `order_code` VARCHAR(20) COLLATE `utf8mb4_general_ci`,
  `number` INT,
  INDEX `of_line` (`order_code`, `number`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
