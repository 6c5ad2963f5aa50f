-- region: 31-upsert

-- statement: forget -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_region` AS `t`
  JOIN `_sw_stage_region` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`code` = `s`.`code`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row is there, as far as the batch knows: the server refuses all if one is.
INSERT INTO `region${suffix}` (
  `code`
)
SELECT
  `s`.`code`
FROM `_sw_stage_region` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that are not there.
INSERT INTO `region${suffix}` (
  `code`
)
SELECT
  `s`.`code`
FROM `_sw_stage_region` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `region${suffix}` AS `t`
    WHERE
      `t`.`code` = `s`.`code`
  );

-- statement: update -- Rows that are there, unless a newer version stands.
UPDATE `region${suffix}` AS `t`
  JOIN `_sw_stage_region` AS `s`
    ON `t`.`code` = `s`.`code` SET `t`.`code` = `s`.`code`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
