-- order_item: 31-upsert

-- statement: insert -- Rows that are not there.
INSERT INTO `order_item${suffix}` (
  `order_id`,
  `line_no`,
  `sku`,
  `kind`
)
SELECT
  `s`.`order_id`,
  `s`.`line_no`,
  `s`.`sku`,
  `s`.`kind`
FROM `_sw_stage_order_item` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_item${suffix}` AS `t`
    WHERE
      `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no`
  );

-- statement: update -- Rows that are there, unless a newer version stands.
UPDATE `order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no` SET `t`.`order_id` = `s`.`order_id`, `t`.`line_no` = `s`.`line_no`, `t`.`sku` = `s`.`sku`, `t`.`kind` = `s`.`kind`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
