-- order_info: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(
          ',',
          HEX(`order_no`),
          `buyer_id`,
          COALESCE(`invoice`, 'N'),
          `amount`,
          COALESCE(CAST(`weight` AS DOUBLE), 'N'),
          COALESCE(HEX(`signature`), 'N'),
          `updated_at`
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
      `order_no` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
  AND (
    @sw_no_high OR (
      `order_no` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`order_no` AS CHAR CHARACTER SET utf8mb4))) % 64
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
  CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `order_no`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `order_no`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_no` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`order_no`) <= 200,
    CAST(`order_no` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`order_no`), ' bytes, SHA-256 ', SHA2(CAST(`order_no` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `order_no`,
  CAST(`buyer_id` AS CHAR CHARACTER SET utf8mb4) AS `buyer_id`,
  CAST(`invoice` AS CHAR CHARACTER SET utf8mb4) AS `invoice`,
  CAST(`amount` AS CHAR CHARACTER SET utf8mb4) AS `amt`,
  CAST(CAST(`weight` AS DOUBLE) AS CHAR CHARACTER SET utf8mb4) AS `weight`,
  IF(
    LENGTH(`signature`) <= 200,
    HEX(`signature`),
    CONCAT(LENGTH(`signature`), ' bytes, SHA-256 ', SHA2(`signature`, 256))
  ) AS `signature`,
  CAST(`updated_at` AS CHAR CHARACTER SET utf8mb4) AS `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_no` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );
