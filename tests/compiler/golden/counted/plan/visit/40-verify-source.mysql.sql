-- visit: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(
          ',',
          `user_id`,
          HEX(`page`),
          COALESCE(`at`, 'N'),
          COALESCE(CAST(`seconds` AS DOUBLE), 'N'),
          COALESCE(HEX(`ip`), 'N'),
          CAST(`user_id` % 10 AS SIGNED)
        ),
        256
      ),
      16
    ),
    16,
    10
  ) AS UNSIGNED)
);

-- statement: sum -- All rows by buckets of hashes.
SELECT
  `sw_hash` % 64 AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`sw_hash`) AS `sw_hash`,
  SUM(`sw_misplaced`) AS `sw_misplaced`
FROM (
  SELECT
    `${hash}` AS `sw_hash`,
    0 AS `sw_misplaced`
  FROM `${source_database}`.`${source_table}`
  WHERE
    (
      TRUE
    ) AND (
      CAST(CAST(`page` AS CHAR CHARACTER SET utf8mb4) AS BINARY) <> CAST('health' AS BINARY)
    )
) AS `r`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${source_database}`.`${source_table}`
WHERE
  CAST(CAST(`page` AS CHAR CHARACTER SET utf8mb4) AS BINARY) <> CAST('health' AS BINARY);

-- statement: hashes -- How many equal rows bucket @sw_bucket has.
SELECT
  `sw_hash`,
  COUNT(*) AS `sw_rows`,
  SUM(`sw_misplaced`) AS `sw_misplaced`
FROM (
  SELECT
    `${hash}` AS `sw_hash`,
    0 AS `sw_misplaced`
  FROM `${source_database}`.`${source_table}`
  WHERE
    (
      TRUE
    ) AND (
      CAST(CAST(`page` AS CHAR CHARACTER SET utf8mb4) AS BINARY) <> CAST('health' AS BINARY)
    )
) AS `r`
WHERE
  `sw_hash` % 64 = @sw_bucket
GROUP BY
  `sw_hash`;

-- statement: row -- One row for display, by its hash.
SELECT
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `user_id`,
  IF(
    LENGTH(`page`) <= 200,
    CAST(`page` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`page`), ' bytes, SHA-256 ', SHA2(CAST(`page` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `path`,
  CAST(`at` AS CHAR CHARACTER SET utf8mb4) AS `at`,
  CAST(CAST(`seconds` AS DOUBLE) AS CHAR CHARACTER SET utf8mb4) AS `seconds`,
  IF(LENGTH(`ip`) <= 200, HEX(`ip`), CONCAT(LENGTH(`ip`), ' bytes, SHA-256 ', SHA2(`ip`, 256))) AS `ip`,
  CAST(CAST(`user_id` % 10 AS SIGNED) AS CHAR CHARACTER SET utf8mb4) AS `tenth`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    (
      TRUE
    ) AND (
      CAST(CAST(`page` AS CHAR CHARACTER SET utf8mb4) AS BINARY) <> CAST('health' AS BINARY)
    )
  )
  AND `${hash}` = @sw_hash
LIMIT 1;
