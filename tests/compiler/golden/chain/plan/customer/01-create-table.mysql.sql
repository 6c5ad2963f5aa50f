-- customer: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `customer${suffix}` (
  `code` CHAR(4) CHARACTER SET ascii COLLATE `ascii_bin` NOT NULL,
  `user_id` BIGINT NOT NULL,
  PRIMARY KEY (`code`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
