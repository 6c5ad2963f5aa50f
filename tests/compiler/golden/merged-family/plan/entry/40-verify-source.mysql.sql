-- entry: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(',', `id`, COALESCE(`account_id`, 'N'), HEX(CAST('${source_database}' AS CHAR CHARACTER SET utf8mb4))),
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
          AND `of_shop` > (
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
          AND `of_shop` <= (
            CAST(@sw_high_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`id` AS CHAR CHARACTER SET utf8mb4), CAST(`of_shop` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- statement: sum -- Rows of a key range, by buckets of keys: how many, and the sum of their hashes.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `of_shop`
) AS `sw_origin`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `of_shop`
) AS `sw_origin`;

-- statement: split -- Where the next 20000 rows end.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`of_shop` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `of_shop`
) AS `sw_origin`
WHERE
  `${range}`
ORDER BY
  `id`,
  `of_shop`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`of_shop` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `of_shop`
) AS `sw_origin`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `id`,
  `of_shop`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`of_shop` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `of_shop`
) AS `sw_origin`
WHERE
  (`id`, `of_shop`) IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  CAST(`account_id` AS CHAR CHARACTER SET utf8mb4) AS `account_id`,
  IF(
    LENGTH('${source_database}') <= 200,
    CAST('${source_database}' AS CHAR CHARACTER SET utf8mb4),
    CONCAT(
      LENGTH('${source_database}'),
      ' bytes, SHA-256 ',
      SHA2(CAST('${source_database}' AS CHAR CHARACTER SET utf8mb4), 256)
    )
  ) AS `of_shop`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `of_shop`
) AS `sw_origin`
WHERE
  `id` = CAST(@sw_key_1 AS SIGNED)
  AND `of_shop` = (
    CAST(@sw_key_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );
