-- job: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`name`,
  NULL
FROM `${database}`.`job${suffix}` AS `t`
WHERE
  `t`.`name` IN (`${keys}`);
