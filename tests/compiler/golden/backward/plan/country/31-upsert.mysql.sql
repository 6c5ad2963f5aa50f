-- country: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_country` AS `t`
  JOIN `_sw_stage_country` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`code` = `s`.`code`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `country${suffix}` (
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
INSERT INTO `country${suffix}` (
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
    FROM `country${suffix}` AS `t`
    WHERE
      `t`.`code` = `s`.`code`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `country${suffix}` AS `t`
  JOIN `_sw_stage_country` AS `s`
    ON `t`.`code` = `s`.`code` SET `t`.`code` = `s`.`code`, `t`.`name` = `s`.`name`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
