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
  `p1`.`sw_at_shard`,
  `p1`.`sw_at_part`
FROM `_sw_place_order_info` AS `t`
JOIN `_sw_place_customer` AS `p1`
  ON `p1`.`code` = `t`.`sw_above_1`
WHERE
  (`t`.`shop_code`, `t`.`order_no`) IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`shop_code`,
  `t`.`order_no`,
  `t`.`sw_above_1`
FROM `_sw_place_order_info${suffix}` AS `t`
WHERE
  `t`.`sw_above_1` IN (`${keys}`);
