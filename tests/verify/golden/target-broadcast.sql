-- hash: The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', HEX(`code`)), 256), 16), 16, 10) AS UNSIGNED)
);

-- range: The row's key is in the range.
(
  (
    @sw_no_low OR (
      `code` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
  AND (
    @sw_no_high OR (
      `code` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
);

-- bucket: The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`code` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- sum: As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `region${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- count: All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `region${suffix}`;

-- keys: The rows of some buckets of a range by key and hash.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `region${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `code`;

-- given: As `keys`, of rows that are asked for.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `region${suffix}`
WHERE
  `code` IN (`${keys}`);

-- row: One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`code`) <= 200,
    CAST(`code` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`code`), ' bytes, SHA-256 ', SHA2(CAST(`code` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `code`
FROM `region${suffix}`
WHERE
  `code` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );
