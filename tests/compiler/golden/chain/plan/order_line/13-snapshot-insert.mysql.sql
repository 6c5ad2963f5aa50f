-- order_line: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_order_line`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `order_line${suffix}` (
  `line`,
  `shop`,
  `order_no`,
  `cancelled`
)
SELECT
  `c`.`line`,
  `c`.`shop`,
  `c`.`order_no`,
  `c`.`cancelled`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_line${suffix}` AS `t`
    WHERE
      `t`.`line` = `c`.`line`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_order_line` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`line` = `c`.`line`
  )
  AND TRUE;

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `line`
  FROM `_sw_gone_order_line`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `order_line${suffix}` AS `t`
  ON `t`.`line` = `d`.`line`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `line`
  FROM `_sw_gone_order_line`
  WHERE
    `sw_part` = @sw_part
    AND `line` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
) AS `d`
STRAIGHT_JOIN `order_line${suffix}` AS `t`
  ON `t`.`line` = `d`.`line`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `line`
  FROM `_sw_gone_order_line`
  WHERE
    `sw_part` = @sw_part
    AND `line` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
) AS `d`
STRAIGHT_JOIN `order_line${suffix}` AS `t`
  ON `t`.`line` = `d`.`line`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `line`
  FROM `_sw_gone_order_line`
  WHERE
    `sw_part` = @sw_part
    AND (
      `line` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
    AND (
      `line` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
) AS `d`
STRAIGHT_JOIN `order_line${suffix}` AS `t`
  ON `t`.`line` = `d`.`line`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
