-- invoice: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_invoice`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `invoice${suffix}` (
  `id`,
  `customer_id`,
  `number`,
  `token`,
  `total`,
  `crm`
)
SELECT
  `c`.`id`,
  `c`.`customer_id`,
  `c`.`number`,
  `c`.`token`,
  `c`.`total`,
  `c`.`crm`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `invoice${suffix}` AS `t`
    WHERE
      `t`.`id` = `c`.`id` AND `t`.`crm` = `c`.`crm`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_invoice` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`id` = `c`.`id` AND `d`.`crm` = `c`.`crm`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `invoice${suffix}` AS `u`
    WHERE
      `u`.`token` = `c`.`token` AND `u`.`crm` = `c`.`crm`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `invoice${suffix}` AS `u`
    WHERE
      `u`.`number` = `c`.`number` AND `u`.`crm` = `c`.`crm`
  );

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `crm`
  FROM `_sw_gone_invoice`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `invoice${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`crm` = `d`.`crm`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `crm`
  FROM `_sw_gone_invoice`
  WHERE
    `sw_part` = @sw_part
    AND `id` <= CAST(@sw_high_1 AS SIGNED)
    AND (
      `id` < CAST(@sw_high_1 AS SIGNED)
      OR (
        `id` = CAST(@sw_high_1 AS SIGNED)
        AND `crm` <= (
          CAST(@sw_high_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `invoice${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`crm` = `d`.`crm`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `crm`
  FROM `_sw_gone_invoice`
  WHERE
    `sw_part` = @sw_part
    AND `id` >= CAST(@sw_low_1 AS SIGNED)
    AND (
      `id` > CAST(@sw_low_1 AS SIGNED)
      OR (
        `id` = CAST(@sw_low_1 AS SIGNED)
        AND `crm` > (
          CAST(@sw_low_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `invoice${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`crm` = `d`.`crm`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`,
    `crm`
  FROM `_sw_gone_invoice`
  WHERE
    `sw_part` = @sw_part
    AND (
      `id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_low_1 AS SIGNED)
          AND `crm` > (
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
          AND `crm` <= (
            CAST(@sw_high_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `invoice${suffix}` AS `t`
  ON `t`.`id` = `d`.`id` AND `t`.`crm` = `d`.`crm`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
