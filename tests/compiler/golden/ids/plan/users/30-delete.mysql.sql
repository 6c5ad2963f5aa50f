-- users: 30-delete

-- statement: remember -- Tombstones: a chunk that read the row earlier must not bring it back.
INSERT INTO `_sw_gone_users` (
  `sw_part`,
  `user_id`,
  `sw_file`,
  `sw_offset`,
  `sw_row`
)
SELECT
  `s`.`sw_part`,
  `s`.`user_id`,
  `s`.`sw_file`,
  `s`.`sw_offset`,
  `s`.`sw_row`
FROM `_sw_stage_users` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action ON DUPLICATE KEY UPDATE `sw_file` = `s`.`sw_file`, `sw_offset` = `s`.`sw_offset`, `sw_row` = `s`.`sw_row`;

-- statement: delete -- @sw_action is 'delete' or 'move_out'.
DELETE   `t` FROM `users${suffix}` AS `t`
  JOIN `_sw_stage_users` AS `s`
    ON `t`.`user_id` = `s`.`user_id`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;

-- statement: staged_parts -- Where a batch has staged quarantined keys.
SELECT DISTINCT
  `sw_part`
FROM `_sw_stage_users`
WHERE
  `sw_batch` = @sw_batch AND `user_id` IN (`${keys}`);

-- statement: unstage -- Quarantined keys leave the stage of their batch.
DELETE FROM `_sw_stage_users`
WHERE
  `sw_batch` = @sw_batch AND `user_id` IN (`${keys}`);
