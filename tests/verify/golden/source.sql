-- hash: The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(
          ',',
          `id`,
          `uid`,
          COALESCE(HEX(`name`), 'N'),
          COALESCE(`amount`, 'N'),
          CAST(`small` AS DOUBLE),
          HEX(`flags`),
          `at`,
          HEX(`kind`),
          COALESCE(SHA2(`body`, 256), 'N'),
          SHA2(`data`, 256)
        ),
        256
      ),
      16
    ),
    16,
    10
  ) AS UNSIGNED)
);

-- range: The row's key is in the range.
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

-- bucket: The bucket that follows from the row's key.
(
  `id` DIV @sw_stride % 64
);

-- sum: Rows of a key range, by buckets of keys: how many, and the sum of their hashes.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- count: All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${source_database}`.`${source_table}`;

-- split: Where the next 20000 rows end.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `id`
LIMIT 1
OFFSET 19999;

-- keys: The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `id`;

-- given: As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` IN (`${keys}`);

-- row: One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  CAST(`uid` AS CHAR CHARACTER SET utf8mb4) AS `user_id`,
  IF(
    LENGTH(`name`) <= 200,
    CAST(`name` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`name`), ' bytes, SHA-256 ', SHA2(CAST(`name` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `name`,
  CAST(`amount` AS CHAR CHARACTER SET utf8mb4) AS `amount`,
  CAST(CAST(`small` AS DOUBLE) AS CHAR CHARACTER SET utf8mb4) AS `small`,
  IF(LENGTH(`flags`) <= 200, HEX(`flags`), CONCAT(LENGTH(`flags`), ' bytes, SHA-256 ', SHA2(`flags`, 256))) AS `flags`,
  CAST(`at` AS CHAR CHARACTER SET utf8mb4) AS `at`,
  IF(
    LENGTH(`kind`) <= 200,
    CAST(`kind` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`kind`), ' bytes, SHA-256 ', SHA2(CAST(`kind` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `kind`,
  IF(
    LENGTH(`body`) <= 200,
    CAST(`body` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`body`), ' bytes, SHA-256 ', SHA2(CAST(`body` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `body`,
  IF(LENGTH(`data`) <= 200, HEX(`data`), CONCAT(LENGTH(`data`), ' bytes, SHA-256 ', SHA2(`data`, 256))) AS `data`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` = CAST(@sw_key_1 AS UNSIGNED);
