-- order_info: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`order_info${suffix}` (
  `shop`,
  `order_no`,
  `total`
)
SELECT
  `s`.`shop`,
  `s`.`order_no`,
  `s`.`total`
FROM `_sw_stage_order_info` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`order_info${suffix}` (
  `shop`,
  `order_no`,
  `total`
)
SELECT
  `s`.`shop`,
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
    FROM `${database}`.`order_info${suffix}` AS `t`
    WHERE
      `t`.`shop` = `s`.`shop` AND `t`.`order_no` = `s`.`order_no`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`order_info${suffix}` AS `t`
  JOIN `_sw_stage_order_info` AS `s`
    ON `t`.`shop` = `s`.`shop` AND `t`.`order_no` = `s`.`order_no` SET `t`.`shop` = `s`.`shop`, `t`.`order_no` = `s`.`order_no`, `t`.`total` = `s`.`total`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
