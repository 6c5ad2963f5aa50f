-- _sw_left_order_info: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`shop_code`,
  `t`.`order_no`,
  NULL
FROM `_sw_left_order_info${suffix}` AS `t`
WHERE
  (`t`.`shop_code`, `t`.`order_no`) IN (`${keys}`);
