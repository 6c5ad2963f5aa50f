-- account: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(
          ',',
          CAST(`id` AS UNSIGNED),
          HEX(`email`),
          HEX(CAST(`kind` AS CHAR CHARACTER SET utf8mb4)),
          CAST(`limit_amount` AS DECIMAL(12, 4)),
          COALESCE(CONCAT(CAST(`born` AS CHAR CHARACTER SET utf8mb4), ' 00:00:00'), 'N'),
          COALESCE(
            HEX(
              CAST(IF(
                CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)) > 2,
                CONCAT(
                  REPEAT('*', CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)) - 2),
                  RIGHT(CAST(`phone` AS CHAR CHARACTER SET utf8mb4), 2)
                ),
                REPEAT('*', CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)))
              ) AS CHAR CHARACTER SET utf8mb4)
            ),
            'N'
          ),
          `active`
        ),
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
    @sw_no_low OR (
      `id` > CAST(@sw_low_1 AS UNSIGNED)
    )
  )
  AND (
    @sw_no_high OR (
      `id` <= CAST(@sw_high_1 AS UNSIGNED)
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  `id` DIV @sw_stride % 64
);

-- part: shard -- The database, from 0, where the row belongs.
(
  CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2
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
    `active` = 1
  )
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${source_database}`.`${source_table}`
WHERE
  `active` = 1;

-- statement: split -- Where the next 20000 rows end.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `id`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
  ) AND (
    `active` = 1
  )
ORDER BY
  `id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `id` IN (`${keys}`)
  ) AND (
    `active` = 1
  );

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4) AS `id`,
  IF(
    LENGTH(`email`) <= 200,
    CAST(`email` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`email`), ' bytes, SHA-256 ', SHA2(CAST(`email` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `email`,
  IF(
    LENGTH(CAST(`kind` AS CHAR CHARACTER SET utf8mb4)) <= 200,
    CAST(`kind` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(
      LENGTH(CAST(`kind` AS CHAR CHARACTER SET utf8mb4)),
      ' bytes, SHA-256 ',
      SHA2(CAST(`kind` AS CHAR CHARACTER SET utf8mb4), 256)
    )
  ) AS `kind`,
  CAST(CAST(`limit_amount` AS DECIMAL(12, 4)) AS CHAR CHARACTER SET utf8mb4) AS `credit_limit`,
  CAST(CONCAT(CAST(`born` AS CHAR CHARACTER SET utf8mb4), ' 00:00:00') AS CHAR CHARACTER SET utf8mb4) AS `born`,
  IF(
    LENGTH(
      IF(
        CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)) > 2,
        CONCAT(
          REPEAT('*', CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)) - 2),
          RIGHT(CAST(`phone` AS CHAR CHARACTER SET utf8mb4), 2)
        ),
        REPEAT('*', CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)))
      )
    ) <= 200,
    CAST(IF(
      CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)) > 2,
      CONCAT(
        REPEAT('*', CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)) - 2),
        RIGHT(CAST(`phone` AS CHAR CHARACTER SET utf8mb4), 2)
      ),
      REPEAT('*', CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)))
    ) AS CHAR CHARACTER SET utf8mb4),
    CONCAT(
      LENGTH(
        IF(
          CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)) > 2,
          CONCAT(
            REPEAT('*', CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)) - 2),
            RIGHT(CAST(`phone` AS CHAR CHARACTER SET utf8mb4), 2)
          ),
          REPEAT('*', CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)))
        )
      ),
      ' bytes, SHA-256 ',
      SHA2(
        CAST(IF(
          CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)) > 2,
          CONCAT(
            REPEAT('*', CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)) - 2),
            RIGHT(CAST(`phone` AS CHAR CHARACTER SET utf8mb4), 2)
          ),
          REPEAT('*', CHAR_LENGTH(CAST(`phone` AS CHAR CHARACTER SET utf8mb4)))
        ) AS CHAR CHARACTER SET utf8mb4),
        256
      )
    )
  ) AS `phone`,
  CAST(`active` AS CHAR CHARACTER SET utf8mb4) AS `active`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `id` = CAST(@sw_key_1 AS UNSIGNED)
  ) AND (
    `active` = 1
  );

-- statement: place -- Where a row belongs: database and table, from 0; key in @sw_key_1, ...
SELECT
  `${shard}` AS `sw_database`,
  (
    CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_table`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` = CAST(@sw_key_1 AS UNSIGNED);

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
    `active` = 1
  )
GROUP BY
  `sw_bucket`;

-- statement: keys_of_shard -- As `keys`, of those rows.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `${range}` AND `${shard}` <=> @sw_shard AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
  )
  AND (
    `active` = 1
  )
ORDER BY
  `id`;
