-- order_line: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `order_line${suffix}` (
  `line` VARCHAR(20) COLLATE `utf8mb4_general_ci` NOT NULL,
  `shop` VARCHAR(10) CHARACTER SET ascii COLLATE `ascii_bin`,
  `order_no` BIGINT UNSIGNED,
  `cancelled` TINYINT NOT NULL,
  PRIMARY KEY (`line`),
  INDEX `of_order` (`shop`, `order_no`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
