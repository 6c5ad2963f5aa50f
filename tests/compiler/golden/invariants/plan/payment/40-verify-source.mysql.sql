-- payment: 40-verify-source

-- statement: sum -- Rows of a key range, by buckets of keys: how many, and the sum of their hashes.
SELECT
  CRC32(CONCAT_WS(',', CAST(`payer` AS CHAR CHARACTER SET utf8mb4), CAST(`id` AS CHAR CHARACTER SET utf8mb4))) % 64 AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(
    CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `payer`, `order_id`, HEX(`token`), HEX(`memo`), `amount`), 256), 16), 16, 10) AS UNSIGNED)
  ) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    @sw_no_low
    OR (
      `payer` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `payer` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `payer` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
        )
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `payer` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `payer` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `payer` = CAST(@sw_high_1 AS SIGNED) AND `id` <= CAST(@sw_high_2 AS SIGNED)
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
  CAST(`payer` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    @sw_no_low
    OR (
      `payer` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `payer` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `payer` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
        )
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `payer` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `payer` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `payer` = CAST(@sw_high_1 AS SIGNED) AND `id` <= CAST(@sw_high_2 AS SIGNED)
        )
      )
    )
  )
ORDER BY
  `payer`,
  `id`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`payer` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `payer`, `order_id`, HEX(`token`), HEX(`memo`), `amount`), 256), 16), 16, 10) AS UNSIGNED) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    (
      @sw_no_low
      OR (
        `payer` >= CAST(@sw_low_1 AS SIGNED)
        AND (
          `payer` > CAST(@sw_low_1 AS SIGNED)
          OR (
            `payer` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
          )
        )
      )
    )
    AND (
      @sw_no_high
      OR (
        `payer` <= CAST(@sw_high_1 AS SIGNED)
        AND (
          `payer` < CAST(@sw_high_1 AS SIGNED)
          OR (
            `payer` = CAST(@sw_high_1 AS SIGNED) AND `id` <= CAST(@sw_high_2 AS SIGNED)
          )
        )
      )
    )
  )
  AND CRC32(CONCAT_WS(',', CAST(`payer` AS CHAR CHARACTER SET utf8mb4), CAST(`id` AS CHAR CHARACTER SET utf8mb4))) % 64 BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `payer`,
  `id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`payer` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `payer`, `order_id`, HEX(`token`), HEX(`memo`), `amount`), 256), 16), 16, 10) AS UNSIGNED) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (`payer`, `id`) IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  CAST(`payer` AS CHAR CHARACTER SET utf8mb4) AS `payer`,
  CAST(`order_id` AS CHAR CHARACTER SET utf8mb4) AS `order_id`,
  IF(LENGTH(`token`) <= 200, HEX(`token`), CONCAT(LENGTH(`token`), ' bytes, SHA-256 ', SHA2(`token`, 256))) AS `token`,
  IF(
    LENGTH(`memo`) <= 200,
    CAST(`memo` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`memo`), ' bytes, SHA-256 ', SHA2(CAST(`memo` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `memo`,
  CAST(`amount` AS CHAR CHARACTER SET utf8mb4) AS `amount`
FROM `${source_database}`.`${source_table}`
WHERE
  `payer` = CAST(@sw_key_1 AS SIGNED) AND `id` = CAST(@sw_key_2 AS SIGNED);

-- statement: place -- Where a row belongs: database and table, from 0; key in @sw_key_1, ...
SELECT
  CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) % 4 AS `sw_database`,
  (
    CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) DIV 4
  ) % 4 AS `sw_table`
FROM `${source_database}`.`${source_table}`
WHERE
  `payer` = CAST(@sw_key_1 AS SIGNED) AND `id` = CAST(@sw_key_2 AS SIGNED);

-- statement: sum_of_shard -- As `sum`, of rows that belong to database @sw_shard.
SELECT
  CRC32(CONCAT_WS(',', CAST(`payer` AS CHAR CHARACTER SET utf8mb4), CAST(`id` AS CHAR CHARACTER SET utf8mb4))) % 64 AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(
    CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `payer`, `order_id`, HEX(`token`), HEX(`memo`), `amount`), 256), 16), 16, 10) AS UNSIGNED)
  ) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    (
      @sw_no_low
      OR (
        `payer` >= CAST(@sw_low_1 AS SIGNED)
        AND (
          `payer` > CAST(@sw_low_1 AS SIGNED)
          OR (
            `payer` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
          )
        )
      )
    )
    AND (
      @sw_no_high
      OR (
        `payer` <= CAST(@sw_high_1 AS SIGNED)
        AND (
          `payer` < CAST(@sw_high_1 AS SIGNED)
          OR (
            `payer` = CAST(@sw_high_1 AS SIGNED) AND `id` <= CAST(@sw_high_2 AS SIGNED)
          )
        )
      )
    )
  )
  AND CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) % 4 <=> @sw_shard
GROUP BY
  `sw_bucket`;

-- statement: keys_of_shard -- As `keys`, of those rows.
SELECT
  CAST(`payer` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `payer`, `order_id`, HEX(`token`), HEX(`memo`), `amount`), 256), 16), 16, 10) AS UNSIGNED) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    (
      (
        @sw_no_low
        OR (
          `payer` >= CAST(@sw_low_1 AS SIGNED)
          AND (
            `payer` > CAST(@sw_low_1 AS SIGNED)
            OR (
              `payer` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
            )
          )
        )
      )
      AND (
        @sw_no_high
        OR (
          `payer` <= CAST(@sw_high_1 AS SIGNED)
          AND (
            `payer` < CAST(@sw_high_1 AS SIGNED)
            OR (
              `payer` = CAST(@sw_high_1 AS SIGNED) AND `id` <= CAST(@sw_high_2 AS SIGNED)
            )
          )
        )
      )
    )
    AND CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) % 4 <=> @sw_shard
  )
  AND CRC32(CONCAT_WS(',', CAST(`payer` AS CHAR CHARACTER SET utf8mb4), CAST(`id` AS CHAR CHARACTER SET utf8mb4))) % 64 BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `payer`,
  `id`;
