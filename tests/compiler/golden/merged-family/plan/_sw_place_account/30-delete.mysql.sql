-- _sw_place_account: 30-delete

-- statement: delete -- @sw_action is 'delete' or 'move_out'.
DELETE   `t` FROM `_sw_place_account${suffix}` AS `t`
  JOIN `_sw_stage_sw_place_account` AS `s`
    ON `t`.`id` = `s`.`id` AND `t`.`shop` = `s`.`shop`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;

-- statement: staged_parts -- Where a batch has staged quarantined keys.
SELECT DISTINCT
  `sw_part`
FROM `_sw_stage_sw_place_account`
WHERE
  `sw_batch` = @sw_batch AND (`id`, `shop`) IN (`${keys}`);

-- statement: unstage -- Quarantined keys leave the stage of their batch.
DELETE FROM `_sw_stage_sw_place_account`
WHERE
  `sw_batch` = @sw_batch AND (`id`, `shop`) IN (`${keys}`);
