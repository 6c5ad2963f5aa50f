-- line: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`order_code`,
  `t`.`number`,
  NULL
FROM `line${suffix}` AS `t`
WHERE
  (`t`.`order_code`, `t`.`number`) IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`order_code`,
  `t`.`number`,
  `t`.`note`,
  `o`.`sw_source`
FROM `line${suffix}` AS `t`
LEFT JOIN `_sw_owner_line` AS `o`
  ON `o`.`sw_part` = @sw_part AND `o`.`order_code` = `t`.`order_code` AND `o`.`number` = `t`.`number`
WHERE
  `t`.`order_code` IN (`${keys}`);
