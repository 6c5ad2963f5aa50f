-- customer: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_customer` AS `t`
  JOIN `_sw_stage_customer` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`code` = `s`.`code`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `customer${suffix}` (
  `code`,
  `user_id`
)
SELECT
  `s`.`code`,
  `s`.`user_id`
FROM `_sw_stage_customer` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `customer${suffix}` (
  `code`,
  `user_id`
)
SELECT
  `s`.`code`,
  `s`.`user_id`
FROM `_sw_stage_customer` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `customer${suffix}` AS `t`
    WHERE
      `t`.`code` = `s`.`code`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `customer${suffix}` AS `t`
  JOIN `_sw_stage_customer` AS `s`
    ON `t`.`code` = `s`.`code` SET `t`.`code` = `s`.`code`, `t`.`user_id` = `s`.`user_id`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
