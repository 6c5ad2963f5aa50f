-- hash: The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `order_id`, HEX(`sku`)), 256), 16), 16, 10) AS UNSIGNED)
);

-- range: The row's key is in the range.
(
  (
    @sw_no_low
    OR (
      `order_id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `order_id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `order_id` = CAST(@sw_low_1 AS SIGNED)
          AND `sku` > (
            CAST(@sw_low_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `order_id` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `order_id` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `order_id` = CAST(@sw_high_1 AS SIGNED)
          AND `sku` <= (
            CAST(@sw_high_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
  )
);

-- bucket: The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`order_id` AS CHAR CHARACTER SET utf8mb4), CAST(`sku` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- sum: Rows of a key range, by buckets of keys: how many, and the sum of their hashes.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- count: All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${source_database}`.`${source_table}`;

-- split: Where the next 20000 rows end.
SELECT
  CAST(`order_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`sku` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `order_id`,
  `sku`
LIMIT 1
OFFSET 19999;

-- keys: The rows of some buckets of a range by key and hash.
SELECT
  CAST(`order_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`sku` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `order_id`,
  `sku`;

-- given: As `keys`, of rows that are asked for.
SELECT
  CAST(`order_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`sku` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (`order_id`, `sku`) IN (`${keys}`);

-- row: One row for display: key in @sw_key_1, ...
SELECT
  CAST(`order_id` AS CHAR CHARACTER SET utf8mb4) AS `order_id`,
  IF(
    LENGTH(`sku`) <= 200,
    CAST(`sku` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`sku`), ' bytes, SHA-256 ', SHA2(CAST(`sku` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `sku`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_id` = CAST(@sw_key_1 AS SIGNED)
  AND `sku` = (
    CAST(@sw_key_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );
