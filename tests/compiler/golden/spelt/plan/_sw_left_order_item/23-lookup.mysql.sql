-- _sw_left_order_item: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`item`,
  NULL
FROM `_sw_left_order_item${suffix}` AS `t`
WHERE
  `t`.`item` IN (`${keys}`);

-- statement: asked_table -- Once in a session: where keys are put that are asked for.
CREATE TEMPORARY TABLE IF NOT EXISTS `_sw_asked__sw_left_order_item` (
  `sw_line` INT NOT NULL,
  `item` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` NOT NULL,
  PRIMARY KEY (`sw_line`)
)
ENGINE=InnoDB;

-- statement: first_table -- Once in a session: the first of those that are one key.
CREATE TEMPORARY TABLE IF NOT EXISTS `_sw_first__sw_left_order_item` (
  `sw_line` INT NOT NULL,
  `item` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` NOT NULL,
  PRIMARY KEY (`item`)
)
ENGINE=InnoDB;

-- statement: ask -- `${keys}` are keys, each behind its line.
INSERT INTO `_sw_asked__sw_left_order_item` (
  `sw_line`,
  `item`
)
VALUES
  (`${keys}`);

-- statement: first -- Of lines with one key, the first stays.
INSERT INTO `_sw_first__sw_left_order_item` (
  `sw_line`,
  `item`
)
SELECT
  `a`.`sw_line`,
  `a`.`item`
FROM `_sw_asked__sw_left_order_item` AS `a` ON DUPLICATE KEY UPDATE `sw_line` = `_sw_first__sw_left_order_item`.`sw_line`;

-- statement: answers -- What is there for each of them, and the first line of the same key.
SELECT
  `a`.`sw_line`,
  `f`.`sw_line` AS `sw_same`,
  `t`.`item`
FROM `_sw_asked__sw_left_order_item` AS `a`
JOIN `_sw_first__sw_left_order_item` AS `f`
  ON `f`.`item` = `a`.`item`
LEFT JOIN `_sw_left_order_item` AS `t`
  ON `t`.`item` = `a`.`item`;

-- statement: forget_asked -- Before other keys are asked for.
DELETE FROM `_sw_asked__sw_left_order_item`;

-- statement: forget_first -- The same.
DELETE FROM `_sw_first__sw_left_order_item`;
