-- line: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', HEX(`order_code`), `number`, COALESCE(HEX(`note`), 'N')), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low
    OR (
      `order_code` >= (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      AND (
        `order_code` > (
          CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
        )
        OR (
          `order_code` = (
            CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
          )
          AND `number` > CAST(@sw_low_2 AS SIGNED)
        )
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `order_code` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      AND (
        `order_code` < (
          CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
        )
        OR (
          `order_code` = (
            CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
          )
          AND `number` <= CAST(@sw_high_2 AS SIGNED)
        )
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`order_code` AS CHAR CHARACTER SET utf8mb4), CAST(`number` AS CHAR CHARACTER SET utf8mb4))) % 64
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
  CAST(`order_code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`number` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `order_code`,
  `number`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`order_code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`number` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `order_code`,
  `number`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`order_code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`number` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (`order_code`, `number`) IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`order_code`) <= 200,
    CAST(`order_code` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`order_code`), ' bytes, SHA-256 ', SHA2(CAST(`order_code` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `order_code`,
  CAST(`number` AS CHAR CHARACTER SET utf8mb4) AS `number`,
  IF(
    LENGTH(`note`) <= 200,
    CAST(`note` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`note`), ' bytes, SHA-256 ', SHA2(CAST(`note` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `note`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_code` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
  AND `number` = CAST(@sw_key_2 AS SIGNED);
