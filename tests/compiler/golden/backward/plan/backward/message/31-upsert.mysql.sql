-- message: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`message${suffix}` (
  `account_id`,
  `no`,
  `body`
)
SELECT
  `s`.`account_id`,
  `s`.`no`,
  `s`.`body`
FROM `_sw_stage_message` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`message${suffix}` (
  `account_id`,
  `no`,
  `body`
)
SELECT
  `s`.`account_id`,
  `s`.`no`,
  `s`.`body`
FROM `_sw_stage_message` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`message${suffix}` AS `t`
    WHERE
      `t`.`account_id` = `s`.`account_id` AND `t`.`no` = `s`.`no`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`message${suffix}` AS `t`
  JOIN `_sw_stage_message` AS `s`
    ON `t`.`account_id` = `s`.`account_id` AND `t`.`no` = `s`.`no` SET `t`.`account_id` = `s`.`account_id`, `t`.`no` = `s`.`no`, `t`.`body` = `s`.`body`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
