-- entry: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  `t`.`of_shop`,
  NULL
FROM `entry${suffix}` AS `t`
WHERE
  (`t`.`id`, `t`.`of_shop`) IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`id`,
  `t`.`account_id`,
  `t`.`of_shop`
FROM `entry${suffix}` AS `t`
WHERE
  (`t`.`account_id`, `t`.`of_shop`) IN (`${keys}`);
