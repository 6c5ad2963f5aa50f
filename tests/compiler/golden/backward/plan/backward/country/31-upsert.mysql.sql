-- country: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`country${suffix}` (
  `code`,
  `name`
)
SELECT
  `s`.`code`,
  `s`.`name`
FROM `_sw_stage_country` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`country${suffix}` (
  `code`,
  `name`
)
SELECT
  `s`.`code`,
  `s`.`name`
FROM `_sw_stage_country` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`country${suffix}` AS `t`
    WHERE
      `t`.`code` = `s`.`code`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`country${suffix}` AS `t`
  JOIN `_sw_stage_country` AS `s`
    ON `t`.`code` = `s`.`code` SET `t`.`code` = `s`.`code`, `t`.`name` = `s`.`name`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
