-- coupons: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_coupons` AS `t`
  JOIN `_sw_stage_coupons` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`id` = `s`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `coupons${suffix}` (
  `id`,
  `code`
)
SELECT
  `s`.`id`,
  `s`.`code`
FROM `_sw_stage_coupons` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `coupons${suffix}` (
  `id`,
  `code`
)
SELECT
  `s`.`id`,
  `s`.`code`
FROM `_sw_stage_coupons` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `coupons${suffix}` AS `t`
    WHERE
      `t`.`id` = `s`.`id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `coupons${suffix}` AS `t`
  JOIN `_sw_stage_coupons` AS `s`
    ON `t`.`id` = `s`.`id` SET `t`.`id` = `s`.`id`, `t`.`code` = `s`.`code`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
