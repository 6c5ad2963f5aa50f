-- order_line: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`order_line${suffix}` (
  `line`,
  `shop`,
  `order_no`,
  `cancelled`
)
SELECT
  `s`.`line`,
  `s`.`shop`,
  `s`.`order_no`,
  `s`.`cancelled`
FROM `_sw_stage_order_line` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`order_line${suffix}` (
  `line`,
  `shop`,
  `order_no`,
  `cancelled`
)
SELECT
  `s`.`line`,
  `s`.`shop`,
  `s`.`order_no`,
  `s`.`cancelled`
FROM `_sw_stage_order_line` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`order_line${suffix}` AS `t`
    WHERE
      `t`.`line` = `s`.`line`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`order_line${suffix}` AS `t`
  JOIN `_sw_stage_order_line` AS `s`
    ON `t`.`line` = `s`.`line` SET `t`.`line` = `s`.`line`, `t`.`shop` = `s`.`shop`, `t`.`order_no` = `s`.`order_no`, `t`.`cancelled` = `s`.`cancelled`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
