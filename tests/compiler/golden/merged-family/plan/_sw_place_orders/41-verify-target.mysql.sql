-- _sw_place_orders: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', HEX(`code`), HEX(`sw_from`), `sw_above_1`), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low
    OR (
      `code` >= (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      AND (
        `code` > (
          CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
        )
        OR (
          `code` = (
            CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
          )
          AND `sw_from` > (
            CAST(@sw_low_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `code` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      AND (
        `code` < (
          CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
        )
        OR (
          `code` = (
            CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
          )
          AND `sw_from` <= (
            CAST(@sw_high_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`code` AS CHAR CHARACTER SET utf8mb4), CAST(`sw_from` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `_sw_place_orders${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `_sw_place_orders${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`sw_from` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `_sw_place_orders${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `code`,
  `sw_from`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`sw_from` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `_sw_place_orders${suffix}`
WHERE
  (`code`, `sw_from`) IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`code`) <= 200,
    CAST(`code` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`code`), ' bytes, SHA-256 ', SHA2(CAST(`code` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `code`,
  IF(
    LENGTH(`sw_from`) <= 200,
    CAST(`sw_from` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`sw_from`), ' bytes, SHA-256 ', SHA2(CAST(`sw_from` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `sw_from`,
  CAST(`sw_above_1` AS CHAR CHARACTER SET utf8mb4) AS `sw_above_1`
FROM `_sw_place_orders${suffix}`
WHERE
  `code` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
  AND `sw_from` = (
    CAST(@sw_key_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );
