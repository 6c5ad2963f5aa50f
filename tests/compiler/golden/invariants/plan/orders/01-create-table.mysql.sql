-- orders: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `orders${suffix}` (
  `id` BIGINT NOT NULL,
  `user_id` BIGINT NOT NULL,
  `status` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` DEFAULT NULL,
  `price` DECIMAL(14, 4) NOT NULL,
  `region` INT DEFAULT NULL,
  `made` DATETIME(3) NOT NULL,
  PRIMARY KEY (`user_id`, `id`)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_general_ci;
