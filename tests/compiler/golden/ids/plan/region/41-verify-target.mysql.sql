-- region: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, HEX(`name`)), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low OR (
      `id` > CAST(@sw_low_1 AS SIGNED)
    )
  )
  AND (
    @sw_no_high OR (
      `id` <= CAST(@sw_high_1 AS SIGNED)
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  `id` DIV @sw_stride % 64
);

-- statement: sum -- As at the source, and how many rows belong to another table.
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

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `region${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `region${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `region${suffix}`
WHERE
  `id` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  IF(
    LENGTH(`name`) <= 200,
    CAST(`name` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`name`), ' bytes, SHA-256 ', SHA2(CAST(`name` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `name`
FROM `region${suffix}`
WHERE
  `id` = CAST(@sw_key_1 AS SIGNED);
