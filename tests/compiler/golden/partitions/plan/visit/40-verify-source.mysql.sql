-- visit: 40-verify-source

-- statement: sum -- Rows of a key range, by buckets of keys: how many, and the sum of their hashes.
SELECT
  CRC32(CONCAT_WS(',', CAST(`id` AS CHAR CHARACTER SET utf8mb4), CAST(`at` AS CHAR CHARACTER SET utf8mb4))) % 64 AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `at`, HEX(`page`)), 256), 16), 16, 10) AS UNSIGNED)) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    @sw_no_low
    OR (
      `id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_low_1 AS SIGNED) AND `at` > CAST(@sw_low_2 AS DATETIME(0))
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
          `id` = CAST(@sw_high_1 AS SIGNED) AND `at` <= CAST(@sw_high_2 AS DATETIME(0))
        )
      )
    )
  )
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${source_database}`.`${source_table}`;

-- statement: split -- Where the next 20000 rows end.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`at` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    @sw_no_low
    OR (
      `id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_low_1 AS SIGNED) AND `at` > CAST(@sw_low_2 AS DATETIME(0))
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
          `id` = CAST(@sw_high_1 AS SIGNED) AND `at` <= CAST(@sw_high_2 AS DATETIME(0))
        )
      )
    )
  )
ORDER BY
  `id`,
  `at`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`at` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `at`, HEX(`page`)), 256), 16), 16, 10) AS UNSIGNED) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    (
      @sw_no_low
      OR (
        `id` >= CAST(@sw_low_1 AS SIGNED)
        AND (
          `id` > CAST(@sw_low_1 AS SIGNED)
          OR (
            `id` = CAST(@sw_low_1 AS SIGNED) AND `at` > CAST(@sw_low_2 AS DATETIME(0))
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
            `id` = CAST(@sw_high_1 AS SIGNED) AND `at` <= CAST(@sw_high_2 AS DATETIME(0))
          )
        )
      )
    )
  )
  AND CRC32(CONCAT_WS(',', CAST(`id` AS CHAR CHARACTER SET utf8mb4), CAST(`at` AS CHAR CHARACTER SET utf8mb4))) % 64 BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `id`,
  `at`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`at` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `at`, HEX(`page`)), 256), 16), 16, 10) AS UNSIGNED) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (`id`, `at`) IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  CAST(`at` AS CHAR CHARACTER SET utf8mb4) AS `seen_at`,
  IF(
    LENGTH(`page`) <= 200,
    CAST(`page` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`page`), ' bytes, SHA-256 ', SHA2(CAST(`page` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `page`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` = CAST(@sw_key_1 AS SIGNED) AND `at` = CAST(@sw_key_2 AS DATETIME(0));

-- statement: place -- Where a row belongs: database and table, from 0; key in @sw_key_1, ...
SELECT
  CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_database`,
  (
    CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_table`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` = CAST(@sw_key_1 AS SIGNED) AND `at` = CAST(@sw_key_2 AS DATETIME(0));

-- statement: sum_of_shard -- As `sum`, of rows that belong to database @sw_shard.
SELECT
  CRC32(CONCAT_WS(',', CAST(`id` AS CHAR CHARACTER SET utf8mb4), CAST(`at` AS CHAR CHARACTER SET utf8mb4))) % 64 AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `at`, HEX(`page`)), 256), 16), 16, 10) AS UNSIGNED)) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    (
      @sw_no_low
      OR (
        `id` >= CAST(@sw_low_1 AS SIGNED)
        AND (
          `id` > CAST(@sw_low_1 AS SIGNED)
          OR (
            `id` = CAST(@sw_low_1 AS SIGNED) AND `at` > CAST(@sw_low_2 AS DATETIME(0))
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
            `id` = CAST(@sw_high_1 AS SIGNED) AND `at` <= CAST(@sw_high_2 AS DATETIME(0))
          )
        )
      )
    )
  )
  AND CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) % 2 <=> @sw_shard
GROUP BY
  `sw_bucket`;

-- statement: keys_of_shard -- As `keys`, of those rows.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`at` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `at`, HEX(`page`)), 256), 16), 16, 10) AS UNSIGNED) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    (
      (
        @sw_no_low
        OR (
          `id` >= CAST(@sw_low_1 AS SIGNED)
          AND (
            `id` > CAST(@sw_low_1 AS SIGNED)
            OR (
              `id` = CAST(@sw_low_1 AS SIGNED) AND `at` > CAST(@sw_low_2 AS DATETIME(0))
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
              `id` = CAST(@sw_high_1 AS SIGNED) AND `at` <= CAST(@sw_high_2 AS DATETIME(0))
            )
          )
        )
      )
    )
    AND CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) % 2 <=> @sw_shard
  )
  AND CRC32(CONCAT_WS(',', CAST(`id` AS CHAR CHARACTER SET utf8mb4), CAST(`at` AS CHAR CHARACTER SET utf8mb4))) % 64 BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `id`,
  `at`;
