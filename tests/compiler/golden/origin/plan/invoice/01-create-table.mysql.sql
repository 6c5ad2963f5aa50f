-- invoice: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `invoice${suffix}` (
  `id` BIGINT(20) NOT NULL,
  `customer_id` BIGINT(20) NOT NULL,
  `number` VARCHAR(20) NOT NULL,
  `token` VARCHAR(20) DEFAULT NULL,
  `total` INT(11) NOT NULL,
  `crm` VARCHAR(64) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL CHECK (CAST(`crm` AS BINARY) IN ('crm_0', 'crm_1')),
  PRIMARY KEY (`id`, `crm`),
  UNIQUE (
    `token`,
    `crm`
  ),
  UNIQUE `by_number` (
    `number`,
    `crm`
  ),
  INDEX `by_customer` (`customer_id`)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_general_ci;
