-- coupons: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `coupons${suffix}` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `code` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL,
  PRIMARY KEY (`id`)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
