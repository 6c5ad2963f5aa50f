-- account: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  `t`.`shop`,
  NULL
FROM `account${suffix}` AS `t`
WHERE
  (`t`.`id`, `t`.`shop`) IN (`${keys}`);
