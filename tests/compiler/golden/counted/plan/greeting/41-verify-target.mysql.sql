-- greeting: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', COALESCE(HEX(`word`), 'N')), 256), 16), 16, 10) AS UNSIGNED)
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
  FROM `greeting${suffix}`
  WHERE
    TRUE
) AS `r`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `greeting${suffix}`;

-- statement: hashes -- How many equal rows bucket @sw_bucket has.
SELECT
  `sw_hash`,
  COUNT(*) AS `sw_rows`,
  SUM(`sw_misplaced`) AS `sw_misplaced`
FROM (
  SELECT
    `${hash}` AS `sw_hash`,
    0 AS `sw_misplaced`
  FROM `greeting${suffix}`
  WHERE
    TRUE
) AS `r`
WHERE
  `sw_hash` % 64 = @sw_bucket
GROUP BY
  `sw_hash`;

-- statement: row -- One row for display, by its hash.
SELECT
  IF(
    LENGTH(`word`) <= 200,
    CAST(`word` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`word`), ' bytes, SHA-256 ', SHA2(CAST(`word` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `word`
FROM `greeting${suffix}`
WHERE
  (
    TRUE
  ) AND `${hash}` = @sw_hash
LIMIT 1;
