-- order_note: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `order_note${suffix}` (
  `note_id` VARCHAR(20) NOT NULL,
  `shop` VARCHAR(4) CHARACTER SET ascii COLLATE `ascii_bin`,
  `no` INT,
  `text` VARCHAR(200),
  `updated_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`note_id`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
