-- order_item: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_order_item`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `order_item${suffix}` (
  `item`,
  `shop`,
  `order_no`,
  `note`
)
SELECT
  `c`.`item`,
  `c`.`shop`,
  `c`.`order_no`,
  `c`.`note`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_item${suffix}` AS `t`
    WHERE
      `t`.`item` = `c`.`item`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_order_item` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`item` = `c`.`item`
  )
  AND TRUE;

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `item`
  FROM `_sw_gone_order_item`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `order_item${suffix}` AS `t`
  ON `t`.`item` = `d`.`item`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `item`
  FROM `_sw_gone_order_item`
  WHERE
    `sw_part` = @sw_part
    AND `item` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
) AS `d`
STRAIGHT_JOIN `order_item${suffix}` AS `t`
  ON `t`.`item` = `d`.`item`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `item`
  FROM `_sw_gone_order_item`
  WHERE
    `sw_part` = @sw_part
    AND `item` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
) AS `d`
STRAIGHT_JOIN `order_item${suffix}` AS `t`
  ON `t`.`item` = `d`.`item`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `item`
  FROM `_sw_gone_order_item`
  WHERE
    `sw_part` = @sw_part
    AND (
      `item` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
    AND (
      `item` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
) AS `d`
STRAIGHT_JOIN `order_item${suffix}` AS `t`
  ON `t`.`item` = `d`.`item`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
