-- visit: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `seen_at`, HEX(`page`)), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low
    OR (
      `id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_low_1 AS SIGNED) AND `seen_at` > CAST(@sw_low_2 AS DATETIME(0))
        )
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `id` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `id` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_high_1 AS SIGNED) AND `seen_at` <= CAST(@sw_high_2 AS DATETIME(0))
        )
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`id` AS CHAR CHARACTER SET utf8mb4), CAST(`seen_at` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- part: misplaced -- The row belongs to another table.
(
  NOT (
    CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) % 2 <=> @sw_shard
    AND (
      CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
    ) % 2 <=> @sw_part
  )
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  SUM(`${misplaced}`) AS `sw_misplaced`
FROM `visit${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `visit${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`seen_at` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `visit${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `id`,
  `seen_at`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`seen_at` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `visit${suffix}`
WHERE
  (`id`, `seen_at`) IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  CAST(`seen_at` AS CHAR CHARACTER SET utf8mb4) AS `seen_at`,
  IF(
    LENGTH(`page`) <= 200,
    CAST(`page` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`page`), ' bytes, SHA-256 ', SHA2(CAST(`page` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `page`
FROM `visit${suffix}`
WHERE
  `id` = CAST(@sw_key_1 AS SIGNED) AND `seen_at` = CAST(@sw_key_2 AS DATETIME(0));
