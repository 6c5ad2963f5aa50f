-- _sw_left_message: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `_sw_left_message${suffix}` (
  `account_id`,
  `no`
)
SELECT
  `s`.`account_id`,
  `s`.`no`
FROM `_sw_stage_sw_left_message` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `_sw_left_message${suffix}` (
  `account_id`,
  `no`
)
SELECT
  `s`.`account_id`,
  `s`.`no`
FROM `_sw_stage_sw_left_message` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_left_message${suffix}` AS `t`
    WHERE
      `t`.`account_id` = `s`.`account_id` AND `t`.`no` = `s`.`no`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `_sw_left_message${suffix}` AS `t`
  JOIN `_sw_stage_sw_left_message` AS `s`
    ON `t`.`account_id` = `s`.`account_id` AND `t`.`no` = `s`.`no` SET `t`.`account_id` = `s`.`account_id`, `t`.`no` = `s`.`no`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
