-- page: 02-bookkeeping

-- statement: stage -- A batch's decisions for this table, written before any takes effect.
CREATE TABLE IF NOT EXISTS `_sw_stage_page` (
  `sw_batch` BIGINT NOT NULL,
  `sw_part` INT NOT NULL,
  `sw_action` VARCHAR(8) CHARACTER SET latin1 COLLATE `latin1_bin` NOT NULL,
  `sw_line` INT NOT NULL,
  `sw_file` BIGINT NOT NULL,
  `sw_offset` BIGINT NOT NULL,
  `sw_row` INT NOT NULL,
  `sw_source` INT NOT NULL,
  `sw_version_before` BIGINT NULL,
  `id` BIGINT NULL,
  `shop` INT UNSIGNED NULL,
  `address` TEXT CHARACTER SET utf8mb4 COLLATE `utf8mb4_0900_ai_ci` NULL,
  `code` VARCHAR(20) CHARACTER SET latin1 COLLATE `latin1_bin` NULL,
  `digest` VARBINARY(64) NULL,
  `mail` CHAR(64) CHARACTER SET ascii COLLATE `ascii_bin` NULL,
  `title` VARCHAR(100) CHARACTER SET utf8mb4 COLLATE `utf8mb4_0900_ai_ci` NULL,
  `doc` JSON NULL,
  `low` VARCHAR(100) CHARACTER SET utf8mb4 COLLATE `utf8mb4_0900_ai_ci` GENERATED ALWAYS AS (LOWER(`title`)) VIRTUAL,
  PRIMARY KEY (`sw_batch`, `sw_part`, `sw_action`, `sw_line`)
)
ENGINE=InnoDB;

-- statement: tombstone -- Deletes that a snapshot chunk may still try to undo; dropped when the snapshot is complete.
CREATE TABLE IF NOT EXISTS `_sw_gone_page` (
  `sw_part` INT NOT NULL,
  `id` BIGINT NOT NULL,
  `sw_file` BIGINT NOT NULL,
  `sw_offset` BIGINT NOT NULL,
  `sw_row` INT NOT NULL,
  PRIMARY KEY (`sw_part`, `id`)
)
ENGINE=InnoDB;
