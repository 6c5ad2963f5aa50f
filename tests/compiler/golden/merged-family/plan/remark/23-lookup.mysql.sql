-- remark: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  NULL
FROM `remark${suffix}` AS `t`
WHERE
  `t`.`id` IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`id`,
  `t`.`order_code`,
  `t`.`number`,
  `o`.`sw_source`
FROM `remark${suffix}` AS `t`
LEFT JOIN `_sw_owner_remark` AS `o`
  ON `o`.`sw_part` = @sw_part AND `o`.`id` = `t`.`id`
WHERE
  (`t`.`order_code`, `t`.`number`) IN (`${keys}`);
