-- order_item: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`item_id`,
  NULL
FROM `${database}`.`order_item${suffix}` AS `t`
WHERE
  `t`.`item_id` IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`item_id`,
  `t`.`shop_code`,
  `t`.`order_number`,
  `t`.`line`,
  HEX(`t`.`payload`)
FROM `${database}`.`order_item${suffix}` AS `t`
WHERE
  (`t`.`shop_code`, `t`.`order_number`) IN (`${keys}`);
