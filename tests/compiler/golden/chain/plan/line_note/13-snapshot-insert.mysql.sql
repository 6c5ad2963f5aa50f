-- line_note: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_line_note`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `line_note${suffix}` (
  `note_id`,
  `line`,
  `text`
)
SELECT
  `c`.`note_id`,
  `c`.`line`,
  `c`.`text`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `line_note${suffix}` AS `t`
    WHERE
      `t`.`note_id` = `c`.`note_id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_line_note` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`note_id` = `c`.`note_id`
  )
  AND TRUE;

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `note_id`
  FROM `_sw_gone_line_note`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `line_note${suffix}` AS `t`
  ON `t`.`note_id` = `d`.`note_id`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `note_id`
  FROM `_sw_gone_line_note`
  WHERE
    `sw_part` = @sw_part AND `note_id` <= CAST(@sw_high_1 AS SIGNED)
) AS `d`
STRAIGHT_JOIN `line_note${suffix}` AS `t`
  ON `t`.`note_id` = `d`.`note_id`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `note_id`
  FROM `_sw_gone_line_note`
  WHERE
    `sw_part` = @sw_part AND `note_id` > CAST(@sw_low_1 AS SIGNED)
) AS `d`
STRAIGHT_JOIN `line_note${suffix}` AS `t`
  ON `t`.`note_id` = `d`.`note_id`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `note_id`
  FROM `_sw_gone_line_note`
  WHERE
    `sw_part` = @sw_part
    AND (
      `note_id` > CAST(@sw_low_1 AS SIGNED)
    )
    AND (
      `note_id` <= CAST(@sw_high_1 AS SIGNED)
    )
) AS `d`
STRAIGHT_JOIN `line_note${suffix}` AS `t`
  ON `t`.`note_id` = `d`.`note_id`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
