-- order_item: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`order_id`,
  `t`.`line_no`,
  NULL
FROM `order_item${suffix}` AS `t`
WHERE
  (`t`.`order_id`, `t`.`line_no`) IN (`${keys}`);
