-- visit: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`customer_id`,
  `t`.`no`,
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
    ) % 2 + 1, 'visit_0', 'visit_1')
  ) AS `sw_home`
FROM `${database}`.`visit_${suffix}` AS `t`
CROSS JOIN (
  SELECT
    '${database}.visit_${suffix}' AS `crm`
) AS `sw_origin`
WHERE
  (`t`.`customer_id`, `t`.`no`, `sw_origin`.`crm`) IN (`${keys}`);
