-- message: 30-delete

-- statement: delete -- @sw_action is 'delete' or 'move_out'.
DELETE   `t` FROM `${database}`.`message${suffix}` AS `t`
  JOIN `_sw_stage_message` AS `s`
    ON `t`.`account_id` = `s`.`account_id` AND `t`.`no` = `s`.`no`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;

-- statement: staged_parts -- Where a batch has staged quarantined keys.
SELECT DISTINCT
  `sw_part`
FROM `_sw_stage_message`
WHERE
  `sw_batch` = @sw_batch AND (`account_id`, `no`) IN (`${keys}`);

-- statement: unstage -- Quarantined keys leave the stage of their batch.
DELETE FROM `_sw_stage_message`
WHERE
  `sw_batch` = @sw_batch AND (`account_id`, `no`) IN (`${keys}`);
