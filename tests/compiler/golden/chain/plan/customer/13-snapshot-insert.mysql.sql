-- customer: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_customer`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `customer${suffix}` (
  `code`,
  `user_id`
)
SELECT
  `c`.`code`,
  `c`.`user_id`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `customer${suffix}` AS `t`
    WHERE
      `t`.`code` = `c`.`code`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_customer` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`code` = `c`.`code`
  )
  AND TRUE;

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `code`
  FROM `_sw_gone_customer`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `customer${suffix}` AS `t`
  ON `t`.`code` = `d`.`code`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `code`
  FROM `_sw_gone_customer`
  WHERE
    `sw_part` = @sw_part AND `code` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
) AS `d`
STRAIGHT_JOIN `customer${suffix}` AS `t`
  ON `t`.`code` = `d`.`code`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `code`
  FROM `_sw_gone_customer`
  WHERE
    `sw_part` = @sw_part AND `code` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
) AS `d`
STRAIGHT_JOIN `customer${suffix}` AS `t`
  ON `t`.`code` = `d`.`code`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `code`
  FROM `_sw_gone_customer`
  WHERE
    `sw_part` = @sw_part
    AND (
      `code` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
    )
    AND (
      `code` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
    )
) AS `d`
STRAIGHT_JOIN `customer${suffix}` AS `t`
  ON `t`.`code` = `d`.`code`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
