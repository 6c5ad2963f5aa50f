-- visit: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`visit${suffix}` (
  `id`,
  `at`,
  `page`
)
SELECT
  `s`.`id`,
  `s`.`at`,
  `s`.`page`
FROM `_sw_stage_visit` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`visit${suffix}` (
  `id`,
  `at`,
  `page`
)
SELECT
  `s`.`id`,
  `s`.`at`,
  `s`.`page`
FROM `_sw_stage_visit` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`visit${suffix}` AS `t`
    WHERE
      `t`.`id` = `s`.`id` AND `t`.`at` = `s`.`at`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`visit${suffix}` AS `t`
  JOIN `_sw_stage_visit` AS `s`
    ON `t`.`id` = `s`.`id` AND `t`.`at` = `s`.`at` SET `t`.`id` = `s`.`id`, `t`.`at` = `s`.`at`, `t`.`page` = `s`.`page`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
