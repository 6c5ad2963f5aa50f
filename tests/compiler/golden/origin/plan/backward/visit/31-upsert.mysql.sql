-- visit: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`visit_${suffix}` (
  `customer_id`,
  `no`,
  `seen`
)
SELECT
  `s`.`customer_id`,
  `s`.`no`,
  `s`.`seen`
FROM `_sw_stage_visit` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`visit_${suffix}` (
  `customer_id`,
  `no`,
  `seen`
)
SELECT
  `s`.`customer_id`,
  `s`.`no`,
  `s`.`seen`
FROM `_sw_stage_visit` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`visit_${suffix}` AS `t`
    WHERE
      `t`.`customer_id` = `s`.`customer_id` AND `t`.`no` = `s`.`no`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`visit_${suffix}` AS `t`
  JOIN `_sw_stage_visit` AS `s`
    ON `t`.`customer_id` = `s`.`customer_id` AND `t`.`no` = `s`.`no` SET `t`.`customer_id` = `s`.`customer_id`, `t`.`no` = `s`.`no`, `t`.`seen` = `s`.`seen`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
