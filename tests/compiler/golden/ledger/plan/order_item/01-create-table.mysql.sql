-- order_item: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `order_item${suffix}` (
  `item_id` INT NOT NULL,
  `shop_code` CHAR(4) CHARACTER SET ascii COLLATE `ascii_bin` NOT NULL,
  `order_number` BIGINT UNSIGNED NOT NULL,
  `line` INT NOT NULL,
  `payload` VARBINARY(20),
  PRIMARY KEY (`item_id`),
  UNIQUE `one_line` (
    `shop_code`,
    `order_number`,
    `line`
  )
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
