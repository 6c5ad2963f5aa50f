-- order_item: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `order_item${suffix}` (
  `order_id` BIGINT NOT NULL,
  `line_no` SMALLINT UNSIGNED NOT NULL,
  `sku` VARCHAR(40) DEFAULT NULL,
  `kind` ENUM('goods', 'service') NOT NULL DEFAULT 'goods',
  PRIMARY KEY (`order_id`, `line_no`),
  UNIQUE `u_sku` (
    `order_id`,
    `sku`
  )
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_0900_ai_ci;
