-- visit: 02-bookkeeping

-- statement: stage -- A batch's decisions for this table, written before any takes effect.
CREATE TABLE IF NOT EXISTS `_sw_stage_visit` (
  `sw_batch` BIGINT NOT NULL,
  `sw_part` INT NOT NULL,
  `sw_action` VARCHAR(8) CHARACTER SET latin1 COLLATE `latin1_bin` NOT NULL,
  `sw_line` INT NOT NULL,
  `sw_file` BIGINT NOT NULL,
  `sw_offset` BIGINT NOT NULL,
  `sw_row` INT NOT NULL,
  `sw_source` INT NOT NULL,
  `sw_version_before` BIGINT NULL,
  `user_id` BIGINT NULL,
  `path` VARCHAR(200) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NULL,
  `at` DATETIME(3) NULL,
  `seconds` FLOAT NULL,
  `ip` VARBINARY(16) NULL,
  `tenth` TINYINT NULL,
  PRIMARY KEY (`sw_batch`, `sw_part`, `sw_action`, `sw_line`)
)
ENGINE=InnoDB;
