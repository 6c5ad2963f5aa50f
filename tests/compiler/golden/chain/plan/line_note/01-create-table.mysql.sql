-- line_note: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `line_note${suffix}` (
  `note_id` INT NOT NULL,
  `line` VARCHAR(20) COLLATE `utf8mb4_general_ci` NOT NULL,
  `text` VARCHAR(200),
  PRIMARY KEY (`note_id`),
  INDEX `of_line` (`line`)
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
