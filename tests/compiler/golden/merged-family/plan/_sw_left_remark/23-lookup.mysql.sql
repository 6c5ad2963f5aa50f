-- _sw_left_remark: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  `t`.`sw_from`,
  NULL
FROM `_sw_left_remark${suffix}` AS `t`
WHERE
  (`t`.`id`, `t`.`sw_from`) IN (`${keys}`);
