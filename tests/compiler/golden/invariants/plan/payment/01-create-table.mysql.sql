-- payment: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `payment${suffix}` (
  `id` BIGINT NOT NULL,
  `payer` BIGINT NOT NULL,
  `order_id` BIGINT NOT NULL,
  `token` VARBINARY(16) NOT NULL,
  `memo` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` NOT NULL,
  `amount` DECIMAL(12, 2) NOT NULL,
  PRIMARY KEY (`payer`, `id`)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_general_ci;
