-- account: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_account` AS `t`
  JOIN `_sw_stage_account` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`id` = `s`.`id` AND `t`.`shop` = `s`.`shop`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `account${suffix}` (
  `id`,
  `user_id`,
  `shop`
)
SELECT
  `s`.`id`,
  `s`.`user_id`,
  `s`.`shop`
FROM `_sw_stage_account` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `account${suffix}` (
  `id`,
  `user_id`,
  `shop`
)
SELECT
  `s`.`id`,
  `s`.`user_id`,
  `s`.`shop`
FROM `_sw_stage_account` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `account${suffix}` AS `t`
    WHERE
      `t`.`id` = `s`.`id` AND `t`.`shop` = `s`.`shop`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `account${suffix}` AS `t`
  JOIN `_sw_stage_account` AS `s`
    ON `t`.`id` = `s`.`id` AND `t`.`shop` = `s`.`shop` SET `t`.`id` = `s`.`id`, `t`.`user_id` = `s`.`user_id`, `t`.`shop` = `s`.`shop`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
