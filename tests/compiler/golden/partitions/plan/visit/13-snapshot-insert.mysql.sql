-- visit: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_visit`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `visit${suffix}` (
  `id`,
  `seen_at`,
  `page`
)
SELECT
  `c`.`id`,
  `c`.`seen_at`,
  `c`.`page`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `visit${suffix}` AS `t`
    WHERE
      `t`.`id` = `c`.`id` AND `t`.`seen_at` = `c`.`seen_at`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_visit` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`id` = `c`.`id` AND `d`.`seen_at` = `c`.`seen_at`
  )
  AND TRUE;

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `seen_at`
  FROM `_sw_gone_visit`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `visit${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`seen_at` = `d`.`seen_at`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `seen_at`
  FROM `_sw_gone_visit`
  WHERE
    `sw_part` = @sw_part
    AND `id` <= CAST(@sw_high_1 AS SIGNED)
    AND (
      `id` < CAST(@sw_high_1 AS SIGNED)
      OR (
        `id` = CAST(@sw_high_1 AS SIGNED) AND `seen_at` <= CAST(@sw_high_2 AS DATETIME(0))
      )
    )
) AS `d`
STRAIGHT_JOIN `visit${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`seen_at` = `d`.`seen_at`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `seen_at`
  FROM `_sw_gone_visit`
  WHERE
    `sw_part` = @sw_part
    AND `id` >= CAST(@sw_low_1 AS SIGNED)
    AND (
      `id` > CAST(@sw_low_1 AS SIGNED)
      OR (
        `id` = CAST(@sw_low_1 AS SIGNED) AND `seen_at` > CAST(@sw_low_2 AS DATETIME(0))
      )
    )
) AS `d`
STRAIGHT_JOIN `visit${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`seen_at` = `d`.`seen_at`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `seen_at`
  FROM `_sw_gone_visit`
  WHERE
    `sw_part` = @sw_part
    AND (
      `id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_low_1 AS SIGNED) AND `seen_at` > CAST(@sw_low_2 AS DATETIME(0))
        )
      )
    )
    AND (
      `id` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `id` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_high_1 AS SIGNED) AND `seen_at` <= CAST(@sw_high_2 AS DATETIME(0))
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `visit${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`seen_at` = `d`.`seen_at`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
