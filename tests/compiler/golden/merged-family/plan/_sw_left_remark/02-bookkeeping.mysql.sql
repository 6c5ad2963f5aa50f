-- _sw_left_remark: 02-bookkeeping

-- statement: lookup_table -- Kept beside the rows, advanced with each batch.
CREATE TABLE IF NOT EXISTS `_sw_left_remark` (
  `id` INT NOT NULL,
  `sw_from` VARCHAR(64) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL,
  PRIMARY KEY (`id`, `sw_from`)
)
ENGINE=InnoDB;

-- statement: stage -- A batch's decisions for this table, written before any takes effect.
CREATE TABLE IF NOT EXISTS `_sw_stage_sw_left_remark` (
  `sw_batch` BIGINT NOT NULL,
  `sw_part` INT NOT NULL,
  `sw_action` VARCHAR(8) CHARACTER SET latin1 COLLATE `latin1_bin` NOT NULL,
  `sw_line` INT NOT NULL,
  `sw_file` BIGINT NOT NULL,
  `sw_offset` BIGINT NOT NULL,
  `sw_row` INT NOT NULL,
  `sw_source` INT NOT NULL,
  `sw_version_before` BIGINT NULL,
  `id` INT NULL,
  `sw_from` VARCHAR(64) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NULL,
  PRIMARY KEY (`sw_batch`, `sw_part`, `sw_action`, `sw_line`)
)
ENGINE=InnoDB;
