-- order_info: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_order_info`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `order_info${suffix}` (
  `order_no`,
  `buyer_id`,
  `invoice`,
  `amount`,
  `weight`,
  `signature`,
  `updated_at`
)
SELECT
  `c`.`order_no`,
  `c`.`buyer_id`,
  `c`.`invoice`,
  `c`.`amount`,
  `c`.`weight`,
  `c`.`signature`,
  `c`.`updated_at`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_info${suffix}` AS `t`
    WHERE
      `t`.`order_no` = `c`.`order_no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_order_info` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`order_no` = `c`.`order_no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_info${suffix}` AS `u`
    WHERE
      `u`.`invoice` = `c`.`invoice`
  );

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `order_no`
  FROM `_sw_gone_order_info`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `order_info${suffix}` AS `t`
  ON `t`.`order_no` = `d`.`order_no`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `order_no`
  FROM `_sw_gone_order_info`
  WHERE
    `sw_part` = @sw_part AND `order_no` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
    )
) AS `d`
STRAIGHT_JOIN `order_info${suffix}` AS `t`
  ON `t`.`order_no` = `d`.`order_no`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `order_no`
  FROM `_sw_gone_order_info`
  WHERE
    `sw_part` = @sw_part AND `order_no` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
    )
) AS `d`
STRAIGHT_JOIN `order_info${suffix}` AS `t`
  ON `t`.`order_no` = `d`.`order_no`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `order_no`
  FROM `_sw_gone_order_info`
  WHERE
    `sw_part` = @sw_part
    AND (
      `order_no` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
    AND (
      `order_no` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
) AS `d`
STRAIGHT_JOIN `order_info${suffix}` AS `t`
  ON `t`.`order_no` = `d`.`order_no`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
