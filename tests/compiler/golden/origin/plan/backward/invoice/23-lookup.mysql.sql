-- invoice: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  `sw_origin`.`crm`,
  NULL,
  CONCAT(
    ELT((
      (
        `customer_id` % 2
      ) + 2
    ) % 2 + 1, 'hub_0', 'hub_1'),
    '.',
    ELT((
      (
        (
          `customer_id` DIV 2
        ) % 2
      ) + 2
    ) % 2 + 1, 'invoice_0', 'invoice_1')
  ) AS `sw_home`
FROM `${database}`.`invoice${suffix}` AS `t`
CROSS JOIN (
  SELECT
    '${database}' AS `crm`
) AS `sw_origin`
WHERE
  (`t`.`id`, `sw_origin`.`crm`) IN (`${keys}`);
