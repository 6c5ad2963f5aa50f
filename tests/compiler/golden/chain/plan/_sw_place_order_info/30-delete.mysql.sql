-- _sw_place_order_info: 30-delete

-- statement: delete -- @sw_action is 'delete' or 'move_out'.
DELETE   `t` FROM `_sw_place_order_info${suffix}` AS `t`
  JOIN `_sw_stage_sw_place_order_info` AS `s`
    ON `t`.`shop_code` = `s`.`shop_code` AND `t`.`order_no` = `s`.`order_no`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;

-- statement: staged_parts -- Where a batch has staged quarantined keys.
SELECT DISTINCT
  `sw_part`
FROM `_sw_stage_sw_place_order_info`
WHERE
  `sw_batch` = @sw_batch AND (`shop_code`, `order_no`) IN (`${keys}`);

-- statement: unstage -- Quarantined keys leave the stage of their batch.
DELETE FROM `_sw_stage_sw_place_order_info`
WHERE
  `sw_batch` = @sw_batch AND (`shop_code`, `order_no`) IN (`${keys}`);
