-- order_item: 40-verify-source

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

-- statement: sum -- Rows of a key range, by buckets of keys: how many, and the sum of their hashes.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${source_database}`.`${source_table}`;

-- statement: split -- Where the next 20000 rows end.
SELECT
  CAST(`item_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `item_id`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`item_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `item_id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`item_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
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
  CAST(`order_number` AS CHAR CHARACTER SET utf8mb4) AS `order_no`,
  CAST(`line` AS CHAR CHARACTER SET utf8mb4) AS `line`,
  IF(LENGTH(`payload`) <= 200, HEX(`payload`), CONCAT(LENGTH(`payload`), ' bytes, SHA-256 ', SHA2(`payload`, 256))) AS `payload`
FROM `${source_database}`.`${source_table}`
WHERE
  `item_id` = CAST(@sw_key_1 AS SIGNED);
