-- order_info: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `order_info${suffix}` (
  `shop_code` VARCHAR(10) CHARACTER SET ascii COLLATE `ascii_bin` NOT NULL,
  `order_no` BIGINT UNSIGNED NOT NULL,
  `total` DECIMAL(12, 2) NOT NULL,
  PRIMARY KEY (`shop_code`, `order_no`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
