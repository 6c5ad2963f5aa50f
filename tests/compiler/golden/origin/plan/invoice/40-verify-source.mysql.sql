-- invoice: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(
          ',',
          `id`,
          `customer_id`,
          HEX(`number`),
          COALESCE(HEX(`token`), 'N'),
          `total`,
          HEX(CAST('${source_database}' AS CHAR CHARACTER SET utf8mb4))
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
    @sw_no_low
    OR (
      `id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_low_1 AS SIGNED)
          AND `crm` > (
            CAST(@sw_low_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
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
          `id` = CAST(@sw_high_1 AS SIGNED)
          AND `crm` <= (
            CAST(@sw_high_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`id` AS CHAR CHARACTER SET utf8mb4), CAST(`crm` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- part: shard -- The database, from 0, where the row belongs.
(
  (
    (
      `customer_id` % 2
    ) + 2
  ) % 2
);

-- statement: sum -- Rows of a key range, by buckets of keys: how many, and the sum of their hashes.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `crm`
) AS `sw_origin`
WHERE
  (
    `${range}`
  ) AND (
    `total` > 0
  )
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `crm`
) AS `sw_origin`
WHERE
  `total` > 0;

-- statement: split -- Where the next 20000 rows end.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`crm` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `crm`
) AS `sw_origin`
WHERE
  `${range}`
ORDER BY
  `id`,
  `crm`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`crm` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `crm`
) AS `sw_origin`
WHERE
  (
    `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
  ) AND (
    `total` > 0
  )
ORDER BY
  `id`,
  `crm`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`crm` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `crm`
) AS `sw_origin`
WHERE
  (
    (`id`, `crm`) IN (`${keys}`)
  ) AND (
    `total` > 0
  );

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  CAST(`customer_id` AS CHAR CHARACTER SET utf8mb4) AS `customer_id`,
  IF(
    LENGTH(`number`) <= 200,
    CAST(`number` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`number`), ' bytes, SHA-256 ', SHA2(CAST(`number` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `number`,
  IF(
    LENGTH(`token`) <= 200,
    CAST(`token` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`token`), ' bytes, SHA-256 ', SHA2(CAST(`token` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `token`,
  CAST(`total` AS CHAR CHARACTER SET utf8mb4) AS `total`,
  IF(
    LENGTH('${source_database}') <= 200,
    CAST('${source_database}' AS CHAR CHARACTER SET utf8mb4),
    CONCAT(
      LENGTH('${source_database}'),
      ' bytes, SHA-256 ',
      SHA2(CAST('${source_database}' AS CHAR CHARACTER SET utf8mb4), 256)
    )
  ) AS `crm`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `crm`
) AS `sw_origin`
WHERE
  (
    `id` = CAST(@sw_key_1 AS SIGNED)
    AND `crm` = (
      CAST(@sw_key_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
    )
  )
  AND (
    `total` > 0
  );

-- statement: place -- Where a row belongs: database and table, from 0; key in @sw_key_1, ...
SELECT
  `${shard}` AS `sw_database`,
  (
    (
      (
        `customer_id` DIV 2
      ) % 2
    ) + 2
  ) % 2 AS `sw_table`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `crm`
) AS `sw_origin`
WHERE
  `id` = CAST(@sw_key_1 AS SIGNED)
  AND `crm` = (
    CAST(@sw_key_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );

-- statement: sum_of_shard -- As `sum`, of rows that belong to database @sw_shard.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `crm`
) AS `sw_origin`
WHERE
  (
    `${range}` AND `${shard}` <=> @sw_shard
  ) AND (
    `total` > 0
  )
GROUP BY
  `sw_bucket`;

-- statement: keys_of_shard -- As `keys`, of those rows.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`crm` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `crm`
) AS `sw_origin`
WHERE
  (
    `${range}` AND `${shard}` <=> @sw_shard AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
  )
  AND (
    `total` > 0
  )
ORDER BY
  `id`,
  `crm`;
