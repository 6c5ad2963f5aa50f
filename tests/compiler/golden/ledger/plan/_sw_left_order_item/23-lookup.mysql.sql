-- _sw_left_order_item: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`item_id`,
  NULL
FROM `_sw_left_order_item${suffix}` AS `t`
WHERE
  `t`.`item_id` IN (`${keys}`);
