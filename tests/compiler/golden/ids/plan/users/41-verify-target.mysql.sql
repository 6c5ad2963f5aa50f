-- users: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `user_id`, HEX(`name`)), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low OR (
      `user_id` > CAST(@sw_low_1 AS UNSIGNED)
    )
  )
  AND (
    @sw_no_high OR (
      `user_id` <= CAST(@sw_high_1 AS UNSIGNED)
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  `user_id` DIV @sw_stride % 64
);

-- part: misplaced -- The row belongs to another table.
(
  NOT (
    CRC32(CAST(CAST(`user_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 <=> @sw_shard
    AND (
      CRC32(CAST(CAST(`user_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
    ) % 2 <=> @sw_part
  )
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  SUM(`${misplaced}`) AS `sw_misplaced`
FROM `users${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `users${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `users${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `user_id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `users${suffix}`
WHERE
  `user_id` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `user_id`,
  IF(
    LENGTH(`name`) <= 200,
    CAST(`name` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`name`), ' bytes, SHA-256 ', SHA2(CAST(`name` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `name`
FROM `users${suffix}`
WHERE
  `user_id` = CAST(@sw_key_1 AS UNSIGNED);
