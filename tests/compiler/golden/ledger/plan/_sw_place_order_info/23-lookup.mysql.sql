-- _sw_place_order_info: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`shop_code`,
  `t`.`order_no`,
  NULL
FROM `_sw_place_order_info${suffix}` AS `t`
WHERE
  (`t`.`shop_code`, `t`.`order_no`) IN (`${keys}`);

-- statement: places -- Where parents are at the stream's position.
SELECT
  `t`.`shop_code`,
  `t`.`order_no`,
  `sw_at_shard`,
  `sw_at_part`
FROM `_sw_place_order_info` AS `t`
WHERE
  (`t`.`shop_code`, `t`.`order_no`) IN (`${keys}`);
