-- order_item: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(
          ',',
          `item_id`,
          HEX(CAST(`shop_code` AS CHAR CHARACTER SET utf8mb4)),
          `order_number`,
          `line`,
          COALESCE(HEX(`payload`), 'N')
        ),
        256
      ),
      16
    ),
    16,
    10
  ) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low OR (
      `item_id` > CAST(@sw_low_1 AS SIGNED)
    )
  )
  AND (
    @sw_no_high OR (
      `item_id` <= CAST(@sw_high_1 AS SIGNED)
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  `item_id` DIV @sw_stride % 64
);

-- part: misplaced -- The row belongs to another table.
(
  NOT EXISTS(
    SELECT
      1
    FROM `order_info${suffix}` AS `p`
    WHERE
      `p`.`shop_code` = `order_item${suffix}`.`shop_code` AND `p`.`order_no` = `order_item${suffix}`.`order_number`
  )
  AND NOT (
    @sw_shard = 0
    AND @sw_part = 0
    AND NOT EXISTS(
      SELECT
        1
      FROM `_sw_place_order_info` AS `b`
      WHERE
        `b`.`shop_code` = `order_item${suffix}`.`shop_code` AND `b`.`order_no` = `order_item${suffix}`.`order_number`
    )
  )
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  SUM(`${misplaced}`) AS `sw_misplaced`
FROM `order_item${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `order_item${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`item_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `order_item${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `item_id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`item_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `order_item${suffix}`
WHERE
  `item_id` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`item_id` AS CHAR CHARACTER SET utf8mb4) AS `item_id`,
  IF(
    LENGTH(`shop_code`) <= 200,
    CAST(`shop_code` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`shop_code`), ' bytes, SHA-256 ', SHA2(CAST(`shop_code` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `shop_code`,
  CAST(`order_number` AS CHAR CHARACTER SET utf8mb4) AS `order_number`,
  CAST(`line` AS CHAR CHARACTER SET utf8mb4) AS `line`,
  IF(LENGTH(`payload`) <= 200, HEX(`payload`), CONCAT(LENGTH(`payload`), ' bytes, SHA-256 ', SHA2(`payload`, 256))) AS `payload`
FROM `order_item${suffix}`
WHERE
  `item_id` = CAST(@sw_key_1 AS SIGNED);
