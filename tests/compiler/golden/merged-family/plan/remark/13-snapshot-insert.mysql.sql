-- remark: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_remark`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `remark${suffix}` (
  `id`,
  `order_code`,
  `number`
)
SELECT
  `c`.`id`,
  `c`.`order_code`,
  `c`.`number`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `remark${suffix}` AS `t`
    WHERE
      `t`.`id` = `c`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_remark` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`id` = `c`.`id` AND `d`.`sw_source` = `c`.`sw_source`
  )
  AND TRUE;

-- statement: owner_conflicts -- Behind the insert: rows of the chunk that another source owns.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `c`.`sw_source` AS `incoming`,
  `c`.`id` AS `sw_key_1`
FROM `_sw_chunk` AS `c`
JOIN `_sw_owner_remark` AS `o`
  ON `o`.`sw_part` = `c`.`sw_part` AND `o`.`id` = `c`.`id`
WHERE
  `c`.`sw_part` = @sw_part AND `o`.`sw_source` <> `c`.`sw_source`;

-- statement: release_row -- A row whose source does not have it any more is deleted.
DELETE FROM `remark${suffix}`
WHERE
  `id` = CAST(@sw_key_1 AS SIGNED);

-- statement: release_owner -- It has no owner then.
DELETE FROM `_sw_owner_remark`
WHERE
  `sw_part` = @sw_part AND `id` = CAST(@sw_key_1 AS SIGNED);

-- statement: set_owner -- After the insert: the source table that the rows came from.
INSERT INTO `_sw_owner_remark` (
  `sw_part`,
  `id`,
  `sw_source`
)
SELECT
  `c`.`sw_part`,
  `c`.`id`,
  `c`.`sw_source`
FROM `_sw_chunk` AS `c`
JOIN `remark${suffix}` AS `t`
  ON `t`.`id` = `c`.`id`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_owner_remark` AS `o`
    WHERE
      `o`.`sw_part` = `c`.`sw_part` AND `o`.`id` = `c`.`id`
  );

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
