-- _sw_place_line: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`order_code`,
  `t`.`number`,
  `t`.`sw_from`,
  NULL
FROM `_sw_place_line${suffix}` AS `t`
WHERE
  (`t`.`order_code`, `t`.`number`, `t`.`sw_from`) IN (`${keys}`);

-- statement: places -- Where parents are at the stream's position.
SELECT
  `t`.`order_code`,
  `t`.`number`,
  CASE WHEN NOT `t`.`sw_from` IS NULL THEN COALESCE(`p2`.`sw_at_shard`, 0) END,
  CASE WHEN NOT `t`.`sw_from` IS NULL THEN COALESCE(`p2`.`sw_at_part`, 0) END,
  `t`.`sw_from`
FROM `_sw_place_line` AS `t`
LEFT JOIN `_sw_place_orders` AS `p1`
  ON `p1`.`code` = `t`.`sw_above_1`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_place_orders` AS `o`
    WHERE
      `o`.`code` = `p1`.`code` AND `o`.`sw_from` < `p1`.`sw_from`
  )
LEFT JOIN `_sw_place_customer` AS `p2`
  ON `p2`.`id` = `p1`.`sw_above_1`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_place_customer` AS `o`
    WHERE
      `o`.`id` = `p2`.`id` AND `o`.`sw_from` < `p2`.`sw_from`
  )
WHERE
  (`t`.`order_code`, `t`.`number`) IN (`${keys}`)
ORDER BY
  `t`.`sw_from`;

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`order_code`,
  `t`.`number`,
  `t`.`sw_from`,
  `t`.`sw_above_1`
FROM `_sw_place_line${suffix}` AS `t`
WHERE
  `t`.`sw_above_1` IN (`${keys}`);

-- statement: asked_table -- Once in a session: where keys are put that are asked for.
CREATE TEMPORARY TABLE IF NOT EXISTS `_sw_asked__sw_place_line` (
  `sw_line` INT NOT NULL,
  `order_code` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` NOT NULL,
  `number` INT NOT NULL,
  PRIMARY KEY (`sw_line`)
)
ENGINE=InnoDB;

-- statement: first_table -- Once in a session: the first of those that are one key.
CREATE TEMPORARY TABLE IF NOT EXISTS `_sw_first__sw_place_line` (
  `sw_line` INT NOT NULL,
  `order_code` VARCHAR(20) CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` NOT NULL,
  `number` INT NOT NULL,
  PRIMARY KEY (`order_code`, `number`)
)
ENGINE=InnoDB;

-- statement: ask -- `${keys}` are keys, each behind its line.
INSERT INTO `_sw_asked__sw_place_line` (
  `sw_line`,
  `order_code`,
  `number`
)
VALUES
  (`${keys}`);

-- statement: first -- Of lines with one key, the first stays.
INSERT INTO `_sw_first__sw_place_line` (
  `sw_line`,
  `order_code`,
  `number`
)
SELECT
  `a`.`sw_line`,
  `a`.`order_code`,
  `a`.`number`
FROM `_sw_asked__sw_place_line` AS `a` ON DUPLICATE KEY UPDATE `sw_line` = `_sw_first__sw_place_line`.`sw_line`;

-- statement: answers -- What is there for each of them, and the first line of the same key.
SELECT
  `a`.`sw_line`,
  `f`.`sw_line` AS `sw_same`,
  CASE WHEN NOT `t`.`sw_from` IS NULL THEN COALESCE(`p2`.`sw_at_shard`, 0) END,
  CASE WHEN NOT `t`.`sw_from` IS NULL THEN COALESCE(`p2`.`sw_at_part`, 0) END,
  `t`.`sw_from`
FROM `_sw_asked__sw_place_line` AS `a`
JOIN `_sw_first__sw_place_line` AS `f`
  ON `f`.`order_code` = `a`.`order_code` AND `f`.`number` = `a`.`number`
LEFT JOIN `_sw_place_line` AS `t`
  ON `t`.`order_code` = `a`.`order_code` AND `t`.`number` = `a`.`number`
LEFT JOIN `_sw_place_orders` AS `p1`
  ON `p1`.`code` = `t`.`sw_above_1`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_place_orders` AS `o`
    WHERE
      `o`.`code` = `p1`.`code` AND `o`.`sw_from` < `p1`.`sw_from`
  )
LEFT JOIN `_sw_place_customer` AS `p2`
  ON `p2`.`id` = `p1`.`sw_above_1`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_place_customer` AS `o`
    WHERE
      `o`.`id` = `p2`.`id` AND `o`.`sw_from` < `p2`.`sw_from`
  )
ORDER BY
  `t`.`sw_from`;

-- statement: forget_asked -- Before other keys are asked for.
DELETE FROM `_sw_asked__sw_place_line`;

-- statement: forget_first -- The same.
DELETE FROM `_sw_first__sw_place_line`;
