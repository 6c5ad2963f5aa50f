-- country: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`code`,
  NULL
FROM `${database}`.`country${suffix}` AS `t`
WHERE
  `t`.`code` IN (`${keys}`);
