-- _sw_place_order_line: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(SHA2(CONCAT_WS(',', HEX(`line`), HEX(CAST(`sw_above_1` AS CHAR CHARACTER SET utf8mb4)), `sw_above_2`), 256), 16),
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

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `_sw_place_order_line${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `_sw_place_order_line${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`line` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `_sw_place_order_line${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `line`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`line` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `_sw_place_order_line${suffix}`
WHERE
  `line` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`line`) <= 200,
    CAST(`line` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`line`), ' bytes, SHA-256 ', SHA2(CAST(`line` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `line`,
  IF(
    LENGTH(`sw_above_1`) <= 200,
    CAST(`sw_above_1` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`sw_above_1`), ' bytes, SHA-256 ', SHA2(CAST(`sw_above_1` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `sw_above_1`,
  CAST(`sw_above_2` AS CHAR CHARACTER SET utf8mb4) AS `sw_above_2`
FROM `_sw_place_order_line${suffix}`
WHERE
  `line` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  );
