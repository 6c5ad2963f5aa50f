-- line: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `line${suffix}` (
  `order_code` VARCHAR(20) COLLATE `utf8mb4_general_ci` NOT NULL,
  `number` INT NOT NULL,
  `note` VARCHAR(200),
  PRIMARY KEY (`order_code`, `number`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
