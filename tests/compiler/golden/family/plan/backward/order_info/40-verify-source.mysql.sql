-- order_info: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(CONCAT_WS(',', HEX(CAST(`shop_code` AS CHAR CHARACTER SET utf8mb4)), `order_no`, `user_id`, `total`), 256),
      16
    ),
    16,
    10
  ) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low
    OR (
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
  )
  AND (
    @sw_no_high
    OR (
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
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(
    CONCAT_WS(',', CAST(`shop_code` AS CHAR CHARACTER SET utf8mb4), CAST(`order_no` AS CHAR CHARACTER SET utf8mb4))
  ) % 64
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
  CAST(`shop_code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `shop_code`,
  `order_no`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`shop_code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `shop_code`,
  `order_no`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`shop_code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (`shop_code`, `order_no`) IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`shop_code`) <= 200,
    CAST(`shop_code` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`shop_code`), ' bytes, SHA-256 ', SHA2(CAST(`shop_code` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `shop_code`,
  CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS `order_no`,
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `user_id`,
  CAST(`total` AS CHAR CHARACTER SET utf8mb4) AS `total`
FROM `${source_database}`.`${source_table}`
WHERE
  `shop_code` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  )
  AND `order_no` = CAST(@sw_key_2 AS UNSIGNED);
