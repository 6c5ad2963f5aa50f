-- account: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `account${suffix}` (
  `id` BIGINT UNSIGNED NOT NULL,
  `email` VARCHAR(80) CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` NOT NULL,
  `kind` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL,
  `credit_limit` DECIMAL(12, 4) NOT NULL DEFAULT 0.00,
  `born` DATETIME DEFAULT NULL,
  `phone` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` DEFAULT NULL,
  `active` TINYINT NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE `by_email` (
    `email`,
    `id`
  )
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
