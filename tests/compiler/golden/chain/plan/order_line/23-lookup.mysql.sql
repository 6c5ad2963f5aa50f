-- order_line: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`line`,
  NULL
FROM `order_line${suffix}` AS `t`
WHERE
  `t`.`line` IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`line`,
  `t`.`shop`,
  `t`.`order_no`,
  `t`.`cancelled`
FROM `order_line${suffix}` AS `t`
WHERE
  (`t`.`shop`, `t`.`order_no`) IN (`${keys}`);
