-- job: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `job${suffix}` (
  `id` BINARY(16) NOT NULL,
  `name` VARCHAR(20) CHARACTER SET ascii COLLATE `ascii_bin` NOT NULL,
  `runs_at` TIME(3) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE `name` (
    `name`
  )
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_general_ci;
