-- entry: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_entry`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `entry${suffix}` (
  `id`,
  `account_id`,
  `of_shop`
)
SELECT
  `c`.`id`,
  `c`.`account_id`,
  `c`.`of_shop`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `entry${suffix}` AS `t`
    WHERE
      `t`.`id` = `c`.`id` AND `t`.`of_shop` = `c`.`of_shop`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_entry` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`id` = `c`.`id` AND `d`.`of_shop` = `c`.`of_shop`
  )
  AND TRUE;

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `of_shop`
  FROM `_sw_gone_entry`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `entry${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`of_shop` = `d`.`of_shop`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `of_shop`
  FROM `_sw_gone_entry`
  WHERE
    `sw_part` = @sw_part
    AND `id` <= CAST(@sw_high_1 AS SIGNED)
    AND (
      `id` < CAST(@sw_high_1 AS SIGNED)
      OR (
        `id` = CAST(@sw_high_1 AS SIGNED)
        AND `of_shop` <= (
          CAST(@sw_high_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `entry${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`of_shop` = `d`.`of_shop`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `of_shop`
  FROM `_sw_gone_entry`
  WHERE
    `sw_part` = @sw_part
    AND `id` >= CAST(@sw_low_1 AS SIGNED)
    AND (
      `id` > CAST(@sw_low_1 AS SIGNED)
      OR (
        `id` = CAST(@sw_low_1 AS SIGNED)
        AND `of_shop` > (
          CAST(@sw_low_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `entry${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`of_shop` = `d`.`of_shop`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `of_shop`
  FROM `_sw_gone_entry`
  WHERE
    `sw_part` = @sw_part
    AND (
      `id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_low_1 AS SIGNED)
          AND `of_shop` > (
            CAST(@sw_low_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
    AND (
      `id` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `id` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_high_1 AS SIGNED)
          AND `of_shop` <= (
            CAST(@sw_high_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `entry${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`of_shop` = `d`.`of_shop`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
