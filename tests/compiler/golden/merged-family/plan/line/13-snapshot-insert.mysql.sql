-- line: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_line`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `line${suffix}` (
  `order_code`,
  `number`,
  `note`
)
SELECT
  `c`.`order_code`,
  `c`.`number`,
  `c`.`note`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `line${suffix}` AS `t`
    WHERE
      `t`.`order_code` = `c`.`order_code` AND `t`.`number` = `c`.`number`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_line` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part`
      AND (
        `d`.`order_code` = `c`.`order_code` AND `d`.`number` = `c`.`number`
      )
      AND `d`.`sw_source` = `c`.`sw_source`
  )
  AND TRUE;

-- statement: owner_conflicts -- Behind the insert: rows of the chunk that another source owns.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `c`.`sw_source` AS `incoming`,
  `c`.`order_code` AS `sw_key_1`,
  `c`.`number` AS `sw_key_2`
FROM `_sw_chunk` AS `c`
JOIN `_sw_owner_line` AS `o`
  ON `o`.`sw_part` = `c`.`sw_part` AND `o`.`order_code` = `c`.`order_code` AND `o`.`number` = `c`.`number`
WHERE
  `c`.`sw_part` = @sw_part AND `o`.`sw_source` <> `c`.`sw_source`;

-- statement: release_row -- A row whose source does not have it any more is deleted.
DELETE FROM `line${suffix}`
WHERE
  `order_code` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
  AND `number` = CAST(@sw_key_2 AS SIGNED);

-- statement: release_owner -- It has no owner then.
DELETE FROM `_sw_owner_line`
WHERE
  `sw_part` = @sw_part
  AND `order_code` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
  AND `number` = CAST(@sw_key_2 AS SIGNED);

-- statement: set_owner -- After the insert: the source table that the rows came from.
INSERT INTO `_sw_owner_line` (
  `sw_part`,
  `order_code`,
  `number`,
  `sw_source`
)
SELECT
  `c`.`sw_part`,
  `c`.`order_code`,
  `c`.`number`,
  `c`.`sw_source`
FROM `_sw_chunk` AS `c`
JOIN `line${suffix}` AS `t`
  ON `t`.`order_code` = `c`.`order_code` AND `t`.`number` = `c`.`number`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_owner_line` AS `o`
    WHERE
      `o`.`sw_part` = `c`.`sw_part` AND `o`.`order_code` = `c`.`order_code` AND `o`.`number` = `c`.`number`
  );

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
