-- order_info: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `order_info${suffix}` (
  `shop_code` VARCHAR(20) COLLATE `utf8mb4_general_ci` NOT NULL,
  `order_no` BIGINT UNSIGNED NOT NULL,
  `user_id` BIGINT NOT NULL,
  PRIMARY KEY (`shop_code`, `order_no`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
