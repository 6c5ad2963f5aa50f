-- payment: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`payer`,
  `t`.`id`,
  NULL
FROM `payment${suffix}` AS `t`
WHERE
  (`t`.`payer`, `t`.`id`) IN (`${keys}`);
