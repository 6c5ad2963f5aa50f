-- order_item: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`item`,
  NULL
FROM `order_item${suffix}` AS `t`
WHERE
  `t`.`item` IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`item`,
  `t`.`shop`,
  `t`.`order_no`,
  `t`.`note`
FROM `order_item${suffix}` AS `t`
WHERE
  (`t`.`shop`, `t`.`order_no`) IN (`${keys}`);
