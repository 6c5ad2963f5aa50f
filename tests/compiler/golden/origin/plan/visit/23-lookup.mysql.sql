-- visit: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`customer_id`,
  `t`.`no`,
  `t`.`crm`,
  NULL
FROM `visit${suffix}` AS `t`
WHERE
  (`t`.`customer_id`, `t`.`no`, `t`.`crm`) IN (`${keys}`);
