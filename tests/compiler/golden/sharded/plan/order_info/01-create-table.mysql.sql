-- order_info: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `order_info${suffix}` (
  `order_no` VARCHAR(32) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL,
  `buyer_id` BIGINT(20) UNSIGNED NOT NULL,
  `invoice` INT(11) DEFAULT NULL,
  `amount` DECIMAL(12, 2) NOT NULL DEFAULT 0.00,
  `weight` FLOAT DEFAULT NULL,
  `signature` VARBINARY(64) DEFAULT NULL,
  `updated_at` TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
  PRIMARY KEY (`order_no`),
  UNIQUE `invoice` (
    `invoice`
  ),
  INDEX `buyer` (`buyer_id`, `updated_at`)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_general_ci;

-- statement: bare -- Instead, while rows are copied: the indexes that follow are left out.
CREATE TABLE IF NOT EXISTS `order_info${suffix}` (
  `order_no` VARCHAR(32) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL,
  `buyer_id` BIGINT(20) UNSIGNED NOT NULL,
  `invoice` INT(11) DEFAULT NULL,
  `amount` DECIMAL(12, 2) NOT NULL DEFAULT 0.00,
  `weight` FLOAT DEFAULT NULL,
  `signature` VARBINARY(64) DEFAULT NULL,
  `updated_at` TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
  PRIMARY KEY (`order_no`),
  UNIQUE `invoice` (
    `invoice`
  )
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_general_ci;

-- statement: indexes -- Once all rows are copied, while the stream continues.
ALTER TABLE `order_info${suffix}`
ADD INDEX `buyer` (`buyer_id`, `updated_at`),   ALGORITHM=INPLACE,
  LOCK=NONE;
