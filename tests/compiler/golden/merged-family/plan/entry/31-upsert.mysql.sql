-- entry: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_entry` AS `t`
  JOIN `_sw_stage_entry` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`id` = `s`.`id` AND `t`.`of_shop` = `s`.`of_shop`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `entry${suffix}` (
  `id`,
  `account_id`,
  `of_shop`
)
SELECT
  `s`.`id`,
  `s`.`account_id`,
  `s`.`of_shop`
FROM `_sw_stage_entry` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `entry${suffix}` (
  `id`,
  `account_id`,
  `of_shop`
)
SELECT
  `s`.`id`,
  `s`.`account_id`,
  `s`.`of_shop`
FROM `_sw_stage_entry` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `entry${suffix}` AS `t`
    WHERE
      `t`.`id` = `s`.`id` AND `t`.`of_shop` = `s`.`of_shop`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `entry${suffix}` AS `t`
  JOIN `_sw_stage_entry` AS `s`
    ON `t`.`id` = `s`.`id` AND `t`.`of_shop` = `s`.`of_shop` SET `t`.`id` = `s`.`id`, `t`.`account_id` = `s`.`account_id`, `t`.`of_shop` = `s`.`of_shop`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
