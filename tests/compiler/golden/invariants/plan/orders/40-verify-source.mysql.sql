-- orders: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(',', `id`, `user_id`, COALESCE(HEX(`status`), 'N'), CAST(`amount` AS DECIMAL(14, 4)), COALESCE(`region`, 'N'), `made`),
        256
      ),
      16
    ),
    16,
    10
  ) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low
    OR (
      `user_id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `user_id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `user_id` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
        )
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `user_id` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `user_id` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `user_id` = CAST(@sw_high_1 AS SIGNED) AND `id` <= CAST(@sw_high_2 AS SIGNED)
        )
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`user_id` AS CHAR CHARACTER SET utf8mb4), CAST(`id` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- part: shard -- The database, from 0, where the row belongs.
(
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 4
);

-- statement: sum -- Rows of a key range, by buckets of keys: how many, and the sum of their hashes.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `${range}`
  ) AND (
    `amount` >= 0
  )
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${source_database}`.`${source_table}`
WHERE
  `amount` >= 0;

-- statement: split -- Where the next 20000 rows end.
SELECT
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `user_id`,
  `id`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
  ) AND (
    `amount` >= 0
  )
ORDER BY
  `user_id`,
  `id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    (`user_id`, `id`) IN (`${keys}`)
  ) AND (
    `amount` >= 0
  );

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `user_id`,
  IF(
    LENGTH(`status`) <= 200,
    CAST(`status` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`status`), ' bytes, SHA-256 ', SHA2(CAST(`status` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `status`,
  CAST(CAST(`amount` AS DECIMAL(14, 4)) AS CHAR CHARACTER SET utf8mb4) AS `price`,
  CAST(`region` AS CHAR CHARACTER SET utf8mb4) AS `region`,
  CAST(`made` AS CHAR CHARACTER SET utf8mb4) AS `made`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `user_id` = CAST(@sw_key_1 AS SIGNED) AND `id` = CAST(@sw_key_2 AS SIGNED)
  ) AND (
    `amount` >= 0
  );

-- statement: place -- Where a row belongs: database and table, from 0; key in @sw_key_1, ...
SELECT
  `${shard}` AS `sw_database`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 4
  ) % 4 AS `sw_table`
FROM `${source_database}`.`${source_table}`
WHERE
  `user_id` = CAST(@sw_key_1 AS SIGNED) AND `id` = CAST(@sw_key_2 AS SIGNED);

-- statement: sum_of_shard -- As `sum`, of rows that belong to database @sw_shard.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `${range}` AND `${shard}` <=> @sw_shard
  ) AND (
    `amount` >= 0
  )
GROUP BY
  `sw_bucket`;

-- statement: keys_of_shard -- As `keys`, of those rows.
SELECT
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `${range}` AND `${shard}` <=> @sw_shard AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
  )
  AND (
    `amount` >= 0
  )
ORDER BY
  `user_id`,
  `id`;
