-- _sw_left_line_note: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `_sw_left_line_note${suffix}` (
  `note_id`
)
SELECT
  `s`.`note_id`
FROM `_sw_stage_sw_left_line_note` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `_sw_left_line_note${suffix}` (
  `note_id`
)
SELECT
  `s`.`note_id`
FROM `_sw_stage_sw_left_line_note` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_left_line_note${suffix}` AS `t`
    WHERE
      `t`.`note_id` = `s`.`note_id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `_sw_left_line_note${suffix}` AS `t`
  JOIN `_sw_stage_sw_left_line_note` AS `s`
    ON `t`.`note_id` = `s`.`note_id` SET `t`.`note_id` = `s`.`note_id`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
