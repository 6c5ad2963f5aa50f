-- region: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`region${suffix}` (
  `id`,
  `name`
)
SELECT
  `s`.`id`,
  `s`.`name`
FROM `_sw_stage_region` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`region${suffix}` (
  `id`,
  `name`
)
SELECT
  `s`.`id`,
  `s`.`name`
FROM `_sw_stage_region` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`region${suffix}` AS `t`
    WHERE
      `t`.`id` = `s`.`id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`region${suffix}` AS `t`
  JOIN `_sw_stage_region` AS `s`
    ON `t`.`id` = `s`.`id` SET `t`.`id` = `s`.`id`, `t`.`name` = `s`.`name`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
