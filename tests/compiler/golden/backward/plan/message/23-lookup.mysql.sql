-- message: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`account_id`,
  `t`.`no`,
  NULL
FROM `message${suffix}` AS `t`
WHERE
  (`t`.`account_id`, `t`.`no`) IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`account_id`,
  `t`.`no`,
  `t`.`body`
FROM `message${suffix}` AS `t`
WHERE
  `t`.`account_id` IN (`${keys}`);
