-- order_info: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_order_info`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `order_info${suffix}` (
  `shop_code`,
  `order_no`,
  `total`
)
SELECT
  `c`.`shop_code`,
  `c`.`order_no`,
  `c`.`total`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_info${suffix}` AS `t`
    WHERE
      `t`.`shop_code` = `c`.`shop_code` AND `t`.`order_no` = `c`.`order_no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_order_info` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`shop_code` = `c`.`shop_code` AND `d`.`order_no` = `c`.`order_no`
  )
  AND TRUE;

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `shop_code`,
    `order_no`
  FROM `_sw_gone_order_info`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `order_info${suffix}` AS `t`
  ON `t`.`shop_code` = `d`.`shop_code` AND `t`.`order_no` = `d`.`order_no`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `shop_code`,
    `order_no`
  FROM `_sw_gone_order_info`
  WHERE
    `sw_part` = @sw_part
    AND `shop_code` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
    AND (
      `shop_code` < (
        CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
      OR (
        `shop_code` = (
          CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
        )
        AND `order_no` <= CAST(@sw_high_2 AS UNSIGNED)
      )
    )
) AS `d`
STRAIGHT_JOIN `order_info${suffix}` AS `t`
  ON `t`.`shop_code` = `d`.`shop_code` AND `t`.`order_no` = `d`.`order_no`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `shop_code`,
    `order_no`
  FROM `_sw_gone_order_info`
  WHERE
    `sw_part` = @sw_part
    AND `shop_code` >= (
      CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
    AND (
      `shop_code` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
      OR (
        `shop_code` = (
          CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
        )
        AND `order_no` > CAST(@sw_low_2 AS UNSIGNED)
      )
    )
) AS `d`
STRAIGHT_JOIN `order_info${suffix}` AS `t`
  ON `t`.`shop_code` = `d`.`shop_code` AND `t`.`order_no` = `d`.`order_no`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `shop_code`,
    `order_no`
  FROM `_sw_gone_order_info`
  WHERE
    `sw_part` = @sw_part
    AND (
      `shop_code` >= (
        CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
      AND (
        `shop_code` > (
          CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
        )
        OR (
          `shop_code` = (
            CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
          )
          AND `order_no` > CAST(@sw_low_2 AS UNSIGNED)
        )
      )
    )
    AND (
      `shop_code` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
      AND (
        `shop_code` < (
          CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
        )
        OR (
          `shop_code` = (
            CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
          )
          AND `order_no` <= CAST(@sw_high_2 AS UNSIGNED)
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `order_info${suffix}` AS `t`
  ON `t`.`shop_code` = `d`.`shop_code` AND `t`.`order_no` = `d`.`order_no`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
