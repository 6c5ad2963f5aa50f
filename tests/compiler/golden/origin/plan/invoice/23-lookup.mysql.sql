-- invoice: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  `t`.`crm`,
  NULL
FROM `invoice${suffix}` AS `t`
WHERE
  (`t`.`id`, `t`.`crm`) IN (`${keys}`);
