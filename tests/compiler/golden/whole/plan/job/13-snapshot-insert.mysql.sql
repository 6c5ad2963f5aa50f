-- job: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_job`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `job${suffix}` (
  `id`,
  `name`,
  `runs_at`
)
SELECT
  `c`.`id`,
  `c`.`name`,
  `c`.`runs_at`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `job${suffix}` AS `t`
    WHERE
      `t`.`name` = `c`.`name`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_job` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`name` = `c`.`name`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `job${suffix}` AS `u`
    WHERE
      `u`.`id` = `c`.`id`
  );

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `name`
  FROM `_sw_gone_job`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `job${suffix}` AS `t`
  ON `t`.`name` = `d`.`name`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `name`
  FROM `_sw_gone_job`
  WHERE
    `sw_part` = @sw_part AND `name` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
) AS `d`
STRAIGHT_JOIN `job${suffix}` AS `t`
  ON `t`.`name` = `d`.`name`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `name`
  FROM `_sw_gone_job`
  WHERE
    `sw_part` = @sw_part AND `name` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
) AS `d`
STRAIGHT_JOIN `job${suffix}` AS `t`
  ON `t`.`name` = `d`.`name`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `name`
  FROM `_sw_gone_job`
  WHERE
    `sw_part` = @sw_part
    AND (
      `name` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
    )
    AND (
      `name` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
    )
) AS `d`
STRAIGHT_JOIN `job${suffix}` AS `t`
  ON `t`.`name` = `d`.`name`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
