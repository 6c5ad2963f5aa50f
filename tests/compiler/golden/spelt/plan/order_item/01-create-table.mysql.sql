-- order_item: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `order_item${suffix}` (
  `item` VARCHAR(20) COLLATE `utf8mb4_general_ci` NOT NULL,
  `shop` VARCHAR(30) COLLATE `utf8mb4_general_ci`,
  `order_no` INT,
  `note` VARCHAR(20),
  PRIMARY KEY (`item`),
  INDEX `of_order` (`shop`, `order_no`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
