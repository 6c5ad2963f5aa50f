-- orders: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `orders${suffix}` (
  `code` VARCHAR(20) COLLATE `utf8mb4_general_ci` NOT NULL PRIMARY KEY,
  `customer_id` BIGINT,
  `total` DECIMAL(12, 2) NOT NULL,
  INDEX `of_customer` (`customer_id`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
