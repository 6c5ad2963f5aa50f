-- region: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_region`;

-- statement: insert -- Only where no row stands and no tombstone forbids it.
INSERT INTO `region${suffix}` (
  `code`,
  `name`
)
SELECT
  `c`.`code`,
  `c`.`name`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `region${suffix}` AS `t`
    WHERE
      `t`.`code` = `c`.`code`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_region` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`code` = `c`.`code`
  )
  AND TRUE;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
