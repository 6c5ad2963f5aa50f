-- _sw_left_entry: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  `t`.`of_shop`,
  NULL
FROM `_sw_left_entry${suffix}` AS `t`
WHERE
  (`t`.`id`, `t`.`of_shop`) IN (`${keys}`);
