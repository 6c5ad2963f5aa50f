-- visit: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_visit`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `visit${suffix}` (
  `customer_id`,
  `no`,
  `seen`,
  `crm`
)
SELECT
  `c`.`customer_id`,
  `c`.`no`,
  `c`.`seen`,
  `c`.`crm`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `visit${suffix}` AS `t`
    WHERE
      `t`.`customer_id` = `c`.`customer_id` AND `t`.`no` = `c`.`no` AND `t`.`crm` = `c`.`crm`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_visit` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part`
      AND `d`.`customer_id` = `c`.`customer_id`
      AND `d`.`no` = `c`.`no`
      AND `d`.`crm` = `c`.`crm`
  )
  AND TRUE;

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `customer_id`,
    `no`,
    `crm`
  FROM `_sw_gone_visit`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `visit${suffix}` AS `t`
  ON `t`.`customer_id` = `d`.`customer_id` AND `t`.`no` = `d`.`no` AND `t`.`crm` = `d`.`crm`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `customer_id`,
    `no`,
    `crm`
  FROM `_sw_gone_visit`
  WHERE
    `sw_part` = @sw_part
    AND `customer_id` <= CAST(@sw_high_1 AS SIGNED)
    AND (
      `customer_id` < CAST(@sw_high_1 AS SIGNED)
      OR (
        `customer_id` = CAST(@sw_high_1 AS SIGNED) AND `no` < CAST(@sw_high_2 AS SIGNED)
      )
      OR (
        `customer_id` = CAST(@sw_high_1 AS SIGNED)
        AND `no` = CAST(@sw_high_2 AS SIGNED)
        AND `crm` <= (
          CAST(@sw_high_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `visit${suffix}` AS `t`
  ON `t`.`customer_id` = `d`.`customer_id` AND `t`.`no` = `d`.`no` AND `t`.`crm` = `d`.`crm`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `customer_id`,
    `no`,
    `crm`
  FROM `_sw_gone_visit`
  WHERE
    `sw_part` = @sw_part
    AND `customer_id` >= CAST(@sw_low_1 AS SIGNED)
    AND (
      `customer_id` > CAST(@sw_low_1 AS SIGNED)
      OR (
        `customer_id` = CAST(@sw_low_1 AS SIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
      )
      OR (
        `customer_id` = CAST(@sw_low_1 AS SIGNED)
        AND `no` = CAST(@sw_low_2 AS SIGNED)
        AND `crm` > (
          CAST(@sw_low_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `visit${suffix}` AS `t`
  ON `t`.`customer_id` = `d`.`customer_id` AND `t`.`no` = `d`.`no` AND `t`.`crm` = `d`.`crm`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `customer_id`,
    `no`,
    `crm`
  FROM `_sw_gone_visit`
  WHERE
    `sw_part` = @sw_part
    AND (
      `customer_id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `customer_id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `customer_id` = CAST(@sw_low_1 AS SIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
        )
        OR (
          `customer_id` = CAST(@sw_low_1 AS SIGNED)
          AND `no` = CAST(@sw_low_2 AS SIGNED)
          AND `crm` > (
            CAST(@sw_low_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
    AND (
      `customer_id` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `customer_id` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `customer_id` = CAST(@sw_high_1 AS SIGNED) AND `no` < CAST(@sw_high_2 AS SIGNED)
        )
        OR (
          `customer_id` = CAST(@sw_high_1 AS SIGNED)
          AND `no` = CAST(@sw_high_2 AS SIGNED)
          AND `crm` <= (
            CAST(@sw_high_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `visit${suffix}` AS `t`
  ON `t`.`customer_id` = `d`.`customer_id` AND `t`.`no` = `d`.`no` AND `t`.`crm` = `d`.`crm`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
