-- entry: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`entry_${suffix}` (
  `no`,
  `account_id`,
  `text`
)
SELECT
  `s`.`no`,
  `s`.`account_id`,
  `s`.`text`
FROM `_sw_stage_entry` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`entry_${suffix}` (
  `no`,
  `account_id`,
  `text`
)
SELECT
  `s`.`no`,
  `s`.`account_id`,
  `s`.`text`
FROM `_sw_stage_entry` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`entry_${suffix}` AS `t`
    WHERE
      `t`.`account_id` = `s`.`account_id` AND `t`.`no` = `s`.`no`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`entry_${suffix}` AS `t`
  JOIN `_sw_stage_entry` AS `s`
    ON `t`.`account_id` = `s`.`account_id` AND `t`.`no` = `s`.`no` SET `t`.`no` = `s`.`no`, `t`.`account_id` = `s`.`account_id`, `t`.`text` = `s`.`text`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
