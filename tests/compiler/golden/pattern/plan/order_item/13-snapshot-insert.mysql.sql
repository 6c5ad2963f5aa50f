-- order_item: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_order_item`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `order_item${suffix}` (
  `order_id`,
  `line_no`,
  `sku`,
  `kind`
)
SELECT
  `c`.`order_id`,
  `c`.`line_no`,
  `c`.`sku`,
  `c`.`kind`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_item${suffix}` AS `t`
    WHERE
      `t`.`order_id` = `c`.`order_id` AND `t`.`line_no` = `c`.`line_no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_order_item` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part`
      AND (
        `d`.`order_id` = `c`.`order_id` AND `d`.`line_no` = `c`.`line_no`
      )
      AND `d`.`sw_source` = `c`.`sw_source`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_item${suffix}` AS `u`
    WHERE
      `u`.`order_id` = `c`.`order_id` AND `u`.`sku` = `c`.`sku`
  );

-- statement: owner_conflicts -- Behind the insert: rows of the chunk that another source owns.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `c`.`sw_source` AS `incoming`,
  `c`.`order_id` AS `sw_key_1`,
  `c`.`line_no` AS `sw_key_2`
FROM `_sw_chunk` AS `c`
JOIN `_sw_owner_order_item` AS `o`
  ON `o`.`sw_part` = `c`.`sw_part` AND `o`.`order_id` = `c`.`order_id` AND `o`.`line_no` = `c`.`line_no`
WHERE
  `c`.`sw_part` = @sw_part AND `o`.`sw_source` <> `c`.`sw_source`;

-- statement: release_row -- A row whose source does not have it any more is deleted.
DELETE FROM `order_item${suffix}`
WHERE
  `order_id` = CAST(@sw_key_1 AS SIGNED) AND `line_no` = CAST(@sw_key_2 AS UNSIGNED);

-- statement: release_owner -- It has no owner then.
DELETE FROM `_sw_owner_order_item`
WHERE
  `sw_part` = @sw_part AND `order_id` = CAST(@sw_key_1 AS SIGNED) AND `line_no` = CAST(@sw_key_2 AS UNSIGNED);

-- statement: set_owner -- After the insert: the source table that the rows came from.
INSERT INTO `_sw_owner_order_item` (
  `sw_part`,
  `order_id`,
  `line_no`,
  `sw_source`
)
SELECT
  `c`.`sw_part`,
  `c`.`order_id`,
  `c`.`line_no`,
  `c`.`sw_source`
FROM `_sw_chunk` AS `c`
JOIN `order_item${suffix}` AS `t`
  ON `t`.`order_id` = `c`.`order_id` AND `t`.`line_no` = `c`.`line_no`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_owner_order_item` AS `o`
    WHERE
      `o`.`sw_part` = `c`.`sw_part` AND `o`.`order_id` = `c`.`order_id` AND `o`.`line_no` = `c`.`line_no`
  );

-- statement: left_out -- Behind the insert: rows whose unique value a row of another source has; with that one, where it is known.
SELECT
  `c`.`order_id` AS `sw_key_1`,
  `c`.`line_no` AS `sw_key_2`,
  `o`.`sw_source` AS `current_owner`,
  `u`.`order_id` AS `sw_their_key_1`,
  `u`.`line_no` AS `sw_their_key_2`
FROM (
  SELECT
    `c`.*
  FROM `_sw_chunk` AS `c`
  WHERE
    `c`.`sw_part` = @sw_part
    AND NOT EXISTS(
      SELECT
        1
      FROM `order_item${suffix}` AS `t`
      WHERE
        `t`.`order_id` = `c`.`order_id` AND `t`.`line_no` = `c`.`line_no`
    )
    AND NOT EXISTS(
      SELECT
        1
      FROM `_sw_gone_order_item` AS `d`
      WHERE
        `d`.`sw_part` = `c`.`sw_part`
        AND (
          `d`.`order_id` = `c`.`order_id` AND `d`.`line_no` = `c`.`line_no`
        )
        AND `d`.`sw_source` = `c`.`sw_source`
    )
  LIMIT 10
) AS `c`
LEFT JOIN `order_item${suffix}` AS `u`
  ON (
    `u`.`order_id` = `c`.`order_id` AND `u`.`sku` = `c`.`sku`
  )
LEFT JOIN `_sw_owner_order_item` AS `o`
  ON `o`.`sw_part` = `c`.`sw_part` AND `o`.`order_id` = `u`.`order_id` AND `o`.`line_no` = `u`.`line_no`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
