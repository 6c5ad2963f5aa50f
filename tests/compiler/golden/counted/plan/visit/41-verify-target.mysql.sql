-- visit: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(
          ',',
          `user_id`,
          HEX(`path`),
          COALESCE(`at`, 'N'),
          COALESCE(CAST(`seconds` AS DOUBLE), 'N'),
          COALESCE(HEX(`ip`), 'N'),
          `tenth`
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
    NOT (
      CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 <=> @sw_shard
      AND (
        CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
      ) % 2 <=> @sw_part
    ) AS `sw_misplaced`
  FROM `visit${suffix}`
  WHERE
    TRUE
) AS `r`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `visit${suffix}`;

-- statement: hashes -- How many equal rows bucket @sw_bucket has.
SELECT
  `sw_hash`,
  COUNT(*) AS `sw_rows`,
  SUM(`sw_misplaced`) AS `sw_misplaced`
FROM (
  SELECT
    `${hash}` AS `sw_hash`,
    NOT (
      CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 <=> @sw_shard
      AND (
        CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
      ) % 2 <=> @sw_part
    ) AS `sw_misplaced`
  FROM `visit${suffix}`
  WHERE
    TRUE
) AS `r`
WHERE
  `sw_hash` % 64 = @sw_bucket
GROUP BY
  `sw_hash`;

-- statement: row -- One row for display, by its hash.
SELECT
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `user_id`,
  IF(
    LENGTH(`path`) <= 200,
    CAST(`path` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`path`), ' bytes, SHA-256 ', SHA2(CAST(`path` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `path`,
  CAST(`at` AS CHAR CHARACTER SET utf8mb4) AS `at`,
  CAST(CAST(`seconds` AS DOUBLE) AS CHAR CHARACTER SET utf8mb4) AS `seconds`,
  IF(LENGTH(`ip`) <= 200, HEX(`ip`), CONCAT(LENGTH(`ip`), ' bytes, SHA-256 ', SHA2(`ip`, 256))) AS `ip`,
  CAST(`tenth` AS CHAR CHARACTER SET utf8mb4) AS `tenth`
FROM `visit${suffix}`
WHERE
  (
    TRUE
  ) AND `${hash}` = @sw_hash
LIMIT 1;
