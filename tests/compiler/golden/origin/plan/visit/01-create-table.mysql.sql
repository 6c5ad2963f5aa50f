-- visit: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `visit${suffix}` (
  `customer_id` BIGINT(20) NOT NULL,
  `no` INT(11) NOT NULL,
  `seen` DATETIME DEFAULT NULL,
  `crm` VARCHAR(129) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL CHECK (CAST(`crm` AS BINARY) IN ('crm_0.visit_a', 'crm_0.visit_b', 'crm_1.visit_a', 'crm_1.visit_b')),
  PRIMARY KEY (`customer_id`, `no`, `crm`)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_general_ci;
