-- order_line: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(
          ',',
          HEX(`line`),
          COALESCE(HEX(CAST(`shop` AS CHAR CHARACTER SET utf8mb4)), 'N'),
          COALESCE(`order_no`, 'N'),
          `cancelled`
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
      `line` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `line` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`line` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- statement: sum -- Rows of a key range, by buckets of keys: how many, and the sum of their hashes.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `${range}`
  ) AND (
    `cancelled` = 0
  )
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${source_database}`.`${source_table}`
WHERE
  `cancelled` = 0;

-- statement: split -- Where the next 20000 rows end.
SELECT
  CAST(`line` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `line`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`line` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
  ) AND (
    `cancelled` = 0
  )
ORDER BY
  `line`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`line` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `line` IN (`${keys}`)
  ) AND (
    `cancelled` = 0
  );

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`line`) <= 200,
    CAST(`line` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`line`), ' bytes, SHA-256 ', SHA2(CAST(`line` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `line`,
  IF(
    LENGTH(`shop`) <= 200,
    CAST(`shop` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`shop`), ' bytes, SHA-256 ', SHA2(CAST(`shop` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `shop`,
  CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS `order_no`,
  CAST(`cancelled` AS CHAR CHARACTER SET utf8mb4) AS `cancelled`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `line` = (
      CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
  )
  AND (
    `cancelled` = 0
  );
