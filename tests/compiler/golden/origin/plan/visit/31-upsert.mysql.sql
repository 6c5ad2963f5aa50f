-- visit: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_visit` AS `t`
  JOIN `_sw_stage_visit` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part`
    AND `t`.`customer_id` = `s`.`customer_id`
    AND `t`.`no` = `s`.`no`
    AND `t`.`crm` = `s`.`crm`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `visit${suffix}` (
  `customer_id`,
  `no`,
  `seen`,
  `crm`
)
SELECT
  `s`.`customer_id`,
  `s`.`no`,
  `s`.`seen`,
  `s`.`crm`
FROM `_sw_stage_visit` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `visit${suffix}` (
  `customer_id`,
  `no`,
  `seen`,
  `crm`
)
SELECT
  `s`.`customer_id`,
  `s`.`no`,
  `s`.`seen`,
  `s`.`crm`
FROM `_sw_stage_visit` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `visit${suffix}` AS `t`
    WHERE
      `t`.`customer_id` = `s`.`customer_id` AND `t`.`no` = `s`.`no` AND `t`.`crm` = `s`.`crm`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `visit${suffix}` AS `t`
  JOIN `_sw_stage_visit` AS `s`
    ON `t`.`customer_id` = `s`.`customer_id` AND `t`.`no` = `s`.`no` AND `t`.`crm` = `s`.`crm` SET `t`.`customer_id` = `s`.`customer_id`, `t`.`no` = `s`.`no`, `t`.`seen` = `s`.`seen`, `t`.`crm` = `s`.`crm`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
