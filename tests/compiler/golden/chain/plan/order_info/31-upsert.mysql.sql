-- order_info: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_order_info` AS `t`
  JOIN `_sw_stage_order_info` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`shop_code` = `s`.`shop_code` AND `t`.`order_no` = `s`.`order_no`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `order_info${suffix}` (
  `shop_code`,
  `order_no`,
  `total`
)
SELECT
  `s`.`shop_code`,
  `s`.`order_no`,
  `s`.`total`
FROM `_sw_stage_order_info` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `order_info${suffix}` (
  `shop_code`,
  `order_no`,
  `total`
)
SELECT
  `s`.`shop_code`,
  `s`.`order_no`,
  `s`.`total`
FROM `_sw_stage_order_info` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_info${suffix}` AS `t`
    WHERE
      `t`.`shop_code` = `s`.`shop_code` AND `t`.`order_no` = `s`.`order_no`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `order_info${suffix}` AS `t`
  JOIN `_sw_stage_order_info` AS `s`
    ON `t`.`shop_code` = `s`.`shop_code` AND `t`.`order_no` = `s`.`order_no` SET `t`.`shop_code` = `s`.`shop_code`, `t`.`order_no` = `s`.`order_no`, `t`.`total` = `s`.`total`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
