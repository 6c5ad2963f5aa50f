-- _sw_left_order_info: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `_sw_left_order_info${suffix}` (
  `shop_code`,
  `order_no`
)
SELECT
  `s`.`shop_code`,
  `s`.`order_no`
FROM `_sw_stage_sw_left_order_info` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `_sw_left_order_info${suffix}` (
  `shop_code`,
  `order_no`
)
SELECT
  `s`.`shop_code`,
  `s`.`order_no`
FROM `_sw_stage_sw_left_order_info` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_left_order_info${suffix}` AS `t`
    WHERE
      `t`.`shop_code` = `s`.`shop_code` AND `t`.`order_no` = `s`.`order_no`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `_sw_left_order_info${suffix}` AS `t`
  JOIN `_sw_stage_sw_left_order_info` AS `s`
    ON `t`.`shop_code` = `s`.`shop_code` AND `t`.`order_no` = `s`.`order_no` SET `t`.`shop_code` = `s`.`shop_code`, `t`.`order_no` = `s`.`order_no`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
