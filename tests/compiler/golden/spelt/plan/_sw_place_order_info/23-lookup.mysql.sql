-- _sw_place_order_info: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`shop_code`,
  `t`.`order_no`,
  NULL
FROM `_sw_place_order_info${suffix}` AS `t`
WHERE
  (`t`.`shop_code`, `t`.`order_no`) IN (`${keys}`);

-- statement: places -- Where parents are at the stream's position.
SELECT
  `t`.`shop_code`,
  `t`.`order_no`,
  `sw_at_shard`,
  `sw_at_part`
FROM `_sw_place_order_info` AS `t`
WHERE
  (`t`.`shop_code`, `t`.`order_no`) IN (`${keys}`);

-- statement: asked_table -- Once in a session: where keys are put that are asked for.
CREATE TEMPORARY TABLE IF NOT EXISTS `_sw_asked__sw_place_order_info` (
  `sw_line` INT NOT NULL,
  `shop_code` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` NOT NULL,
  `order_no` BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (`sw_line`)
)
ENGINE=InnoDB;

-- statement: first_table -- Once in a session: the first of those that are one key.
CREATE TEMPORARY TABLE IF NOT EXISTS `_sw_first__sw_place_order_info` (
  `sw_line` INT NOT NULL,
  `shop_code` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` NOT NULL,
  `order_no` BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (`shop_code`, `order_no`)
)
ENGINE=InnoDB;

-- statement: ask -- `${keys}` are keys, each behind its line.
INSERT INTO `_sw_asked__sw_place_order_info` (
  `sw_line`,
  `shop_code`,
  `order_no`
)
VALUES
  (`${keys}`);

-- statement: first -- Of lines with one key, the first stays.
INSERT INTO `_sw_first__sw_place_order_info` (
  `sw_line`,
  `shop_code`,
  `order_no`
)
SELECT
  `a`.`sw_line`,
  `a`.`shop_code`,
  `a`.`order_no`
FROM `_sw_asked__sw_place_order_info` AS `a` ON DUPLICATE KEY UPDATE `sw_line` = `_sw_first__sw_place_order_info`.`sw_line`;

-- statement: answers -- What is there for each of them, and the first line of the same key.
SELECT
  `a`.`sw_line`,
  `f`.`sw_line` AS `sw_same`,
  `t`.`sw_at_shard`,
  `t`.`sw_at_part`
FROM `_sw_asked__sw_place_order_info` AS `a`
JOIN `_sw_first__sw_place_order_info` AS `f`
  ON `f`.`shop_code` = `a`.`shop_code` AND `f`.`order_no` = `a`.`order_no`
LEFT JOIN `_sw_place_order_info` AS `t`
  ON `t`.`shop_code` = `a`.`shop_code` AND `t`.`order_no` = `a`.`order_no`;

-- statement: forget_asked -- Before other keys are asked for.
DELETE FROM `_sw_asked__sw_place_order_info`;

-- statement: forget_first -- The same.
DELETE FROM `_sw_first__sw_place_order_info`;
