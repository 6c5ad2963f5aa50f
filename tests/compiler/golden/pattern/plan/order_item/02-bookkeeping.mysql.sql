-- order_item: 02-bookkeeping

-- statement: stage -- A batch's decisions for this table, written before any takes effect.
CREATE TABLE IF NOT EXISTS `_sw_stage_order_item` (
  `sw_batch` BIGINT NOT NULL,
  `sw_part` INT NOT NULL,
  `sw_action` VARCHAR(8) CHARACTER SET latin1 COLLATE `latin1_bin` NOT NULL,
  `sw_line` INT NOT NULL,
  `sw_file` BIGINT NOT NULL,
  `sw_offset` BIGINT NOT NULL,
  `sw_row` INT NOT NULL,
  `sw_source` INT NOT NULL,
  `sw_version_before` BIGINT NULL,
  `order_id` BIGINT NULL,
  `line_no` SMALLINT UNSIGNED NULL,
  `sku` VARCHAR(40) CHARACTER SET utf8mb4 COLLATE `utf8mb4_0900_ai_ci` NULL,
  `kind` ENUM('goods', 'service') CHARACTER SET utf8mb4 COLLATE `utf8mb4_0900_ai_ci` NULL,
  PRIMARY KEY (`sw_batch`, `sw_part`, `sw_action`, `sw_line`)
)
ENGINE=InnoDB;

-- statement: tombstone -- Deletes that a snapshot chunk may still try to undo; dropped when the snapshot is complete.
CREATE TABLE IF NOT EXISTS `_sw_gone_order_item` (
  `sw_part` INT NOT NULL,
  `order_id` BIGINT NOT NULL,
  `line_no` SMALLINT UNSIGNED NOT NULL,
  `sw_source` INT NOT NULL,
  `sw_file` BIGINT NOT NULL,
  `sw_offset` BIGINT NOT NULL,
  `sw_row` INT NOT NULL,
  PRIMARY KEY (`sw_part`, `order_id`, `line_no`, `sw_source`)
)
ENGINE=InnoDB;

-- statement: owner -- Which source table each row came from, by its number in the plan, counting from 0.
CREATE TABLE IF NOT EXISTS `_sw_owner_order_item` (
  `sw_part` INT NOT NULL,
  `order_id` BIGINT NOT NULL,
  `line_no` SMALLINT UNSIGNED NOT NULL,
  `sw_source` INT NOT NULL,
  PRIMARY KEY (`sw_part`, `order_id`, `line_no`)
)
ENGINE=InnoDB;
