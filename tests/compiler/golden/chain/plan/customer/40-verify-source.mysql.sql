-- customer: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', HEX(CAST(`code` AS CHAR CHARACTER SET utf8mb4)), `user_id`), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low OR (
      `code` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
    )
  )
  AND (
    @sw_no_high OR (
      `code` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`code` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- part: shard -- The database, from 0, where the row belongs.
(
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2
);

-- statement: sum -- Rows of a key range, by buckets of keys: how many, and the sum of their hashes.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${source_database}`.`${source_table}`;

-- statement: split -- Where the next 20000 rows end.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `code`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `code`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`code`) <= 200,
    CAST(`code` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`code`), ' bytes, SHA-256 ', SHA2(CAST(`code` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `code`,
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  );

-- statement: place -- Where a row belongs: database and table, from 0; key in @sw_key_1, ...
SELECT
  `${shard}` AS `sw_database`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_table`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  );

-- statement: sum_of_shard -- As `sum`, of rows that belong to database @sw_shard.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}` AND `${shard}` <=> @sw_shard
GROUP BY
  `sw_bucket`;

-- statement: keys_of_shard -- As `keys`, of those rows.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}` AND `${shard}` <=> @sw_shard AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `code`;
