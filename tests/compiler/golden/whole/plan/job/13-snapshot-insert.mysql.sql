-- job: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_job`;

-- statement: insert -- Only where no row stands and no tombstone forbids it.
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

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
