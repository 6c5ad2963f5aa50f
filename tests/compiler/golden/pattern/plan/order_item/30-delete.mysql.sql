-- order_item: 30-delete

-- statement: delete -- @sw_action is 'delete' or 'vacate'.
DELETE   `t` FROM `order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_order_item` AS `u`
    WHERE
      `u`.`sw_batch` = @sw_batch
      AND `u`.`sw_part` = @sw_part
      AND `u`.`sw_action` IN ('upsert', 'late')
      AND `u`.`order_id` = `s`.`order_id`
      AND `u`.`line_no` = `s`.`line_no`
  );
