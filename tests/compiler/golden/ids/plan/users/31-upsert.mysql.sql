-- users: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_users` AS `t`
  JOIN `_sw_stage_users` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`user_id` = `s`.`user_id`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `users${suffix}` (
  `user_id`,
  `name`
)
SELECT
  `s`.`user_id`,
  `s`.`name`
FROM `_sw_stage_users` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `users${suffix}` (
  `user_id`,
  `name`
)
SELECT
  `s`.`user_id`,
  `s`.`name`
FROM `_sw_stage_users` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `users${suffix}` AS `t`
    WHERE
      `t`.`user_id` = `s`.`user_id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `users${suffix}` AS `t`
  JOIN `_sw_stage_users` AS `s`
    ON `t`.`user_id` = `s`.`user_id` SET `t`.`user_id` = `s`.`user_id`, `t`.`name` = `s`.`name`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
