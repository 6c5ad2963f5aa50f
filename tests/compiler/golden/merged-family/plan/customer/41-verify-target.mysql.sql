-- customer: 41-verify-target

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `id` DIV @sw_stride % 64 AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `user_id`), 256), 16), 16, 10) AS UNSIGNED)) AS `sw_hash`,
  SUM(
    NOT (
      CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 3 <=> @sw_shard
      AND (
        CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 3
      ) % 2 <=> @sw_part
    )
  ) AS `sw_misplaced`
FROM `customer${suffix}`
WHERE
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
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `customer${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `user_id`), 256), 16), 16, 10) AS UNSIGNED) AS `sw_hash`,
  NOT (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 3 <=> @sw_shard
    AND (
      CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 3
    ) % 2 <=> @sw_part
  ) AS `sw_misplaced`
FROM `customer${suffix}`
WHERE
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
  )
  AND `id` DIV @sw_stride % 64 BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, `user_id`), 256), 16), 16, 10) AS UNSIGNED) AS `sw_hash`,
  NOT (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 3 <=> @sw_shard
    AND (
      CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 3
    ) % 2 <=> @sw_part
  ) AS `sw_misplaced`
FROM `customer${suffix}`
WHERE
  `id` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `user_id`
FROM `customer${suffix}`
WHERE
  `id` = CAST(@sw_key_1 AS SIGNED);
