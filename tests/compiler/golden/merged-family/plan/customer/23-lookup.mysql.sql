-- customer: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  NULL
FROM `customer${suffix}` AS `t`
WHERE
  `t`.`id` IN (`${keys}`);
