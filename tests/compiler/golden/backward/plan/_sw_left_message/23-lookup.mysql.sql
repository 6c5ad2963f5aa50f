-- _sw_left_message: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`account_id`,
  `t`.`no`,
  NULL
FROM `_sw_left_message${suffix}` AS `t`
WHERE
  (`t`.`account_id`, `t`.`no`) IN (`${keys}`);
