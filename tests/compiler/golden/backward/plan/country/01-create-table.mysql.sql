-- country: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `country${suffix}` (
  `code` CHAR(2) CHARACTER SET ascii COLLATE `ascii_bin` NOT NULL,
  `name` VARCHAR(60) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL,
  PRIMARY KEY (`code`)
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
