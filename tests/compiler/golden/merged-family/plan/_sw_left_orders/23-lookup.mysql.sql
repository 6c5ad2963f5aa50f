-- _sw_left_orders: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`code`,
  `t`.`sw_from`,
  NULL
FROM `_sw_left_orders${suffix}` AS `t`
WHERE
  (`t`.`code`, `t`.`sw_from`) IN (`${keys}`);

-- statement: asked_table -- Once in a session: where keys are put that are asked for.
CREATE TEMPORARY TABLE IF NOT EXISTS `_sw_asked__sw_left_orders` (
  `sw_line` INT NOT NULL,
  `code` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` NOT NULL,
  `sw_from` VARCHAR(129) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL,
  PRIMARY KEY (`sw_line`)
)
ENGINE=InnoDB;

-- statement: first_table -- Once in a session: the first of those that are one key.
CREATE TEMPORARY TABLE IF NOT EXISTS `_sw_first__sw_left_orders` (
  `sw_line` INT NOT NULL,
  `code` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` NOT NULL,
  `sw_from` VARCHAR(129) CHARACTER SET utf8mb4 COLLATE `utf8mb4_bin` NOT NULL,
  PRIMARY KEY (`code`, `sw_from`)
)
ENGINE=InnoDB;

-- statement: ask -- `${keys}` are keys, each behind its line.
INSERT INTO `_sw_asked__sw_left_orders` (
  `sw_line`,
  `code`,
  `sw_from`
)
VALUES
  (`${keys}`);

-- statement: first -- Of lines with one key, the first stays.
INSERT INTO `_sw_first__sw_left_orders` (
  `sw_line`,
  `code`,
  `sw_from`
)
SELECT
  `a`.`sw_line`,
  `a`.`code`,
  `a`.`sw_from`
FROM `_sw_asked__sw_left_orders` AS `a` ON DUPLICATE KEY UPDATE `sw_line` = `_sw_first__sw_left_orders`.`sw_line`;

-- statement: answers -- What is there for each of them, and the first line of the same key.
SELECT
  `a`.`sw_line`,
  `f`.`sw_line` AS `sw_same`,
  `t`.`code`
FROM `_sw_asked__sw_left_orders` AS `a`
JOIN `_sw_first__sw_left_orders` AS `f`
  ON `f`.`code` = `a`.`code` AND `f`.`sw_from` = `a`.`sw_from`
LEFT JOIN `_sw_left_orders` AS `t`
  ON `t`.`code` = `a`.`code` AND `t`.`sw_from` = `a`.`sw_from`;

-- statement: forget_asked -- Before other keys are asked for.
DELETE FROM `_sw_asked__sw_left_orders`;

-- statement: forget_first -- The same.
DELETE FROM `_sw_first__sw_left_orders`;
