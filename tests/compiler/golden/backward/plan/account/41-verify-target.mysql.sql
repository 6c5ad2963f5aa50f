-- account: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(',', `id`, HEX(`email`), HEX(`kind`), `credit_limit`, COALESCE(`born`, 'N'), COALESCE(HEX(`phone`), 'N'), `active`),
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

-- part: misplaced -- The row belongs to another table.
(
  NOT (
    CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 <=> @sw_shard
    AND (
      CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
    ) % 2 <=> @sw_part
  )
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  SUM(`${misplaced}`) AS `sw_misplaced`
FROM `account${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `account${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `account${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `account${suffix}`
WHERE
  `id` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  IF(
    LENGTH(`email`) <= 200,
    CAST(`email` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`email`), ' bytes, SHA-256 ', SHA2(CAST(`email` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `email`,
  IF(
    LENGTH(`kind`) <= 200,
    CAST(`kind` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`kind`), ' bytes, SHA-256 ', SHA2(CAST(`kind` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `kind`,
  CAST(`credit_limit` AS CHAR CHARACTER SET utf8mb4) AS `credit_limit`,
  CAST(`born` AS CHAR CHARACTER SET utf8mb4) AS `born`,
  IF(
    LENGTH(`phone`) <= 200,
    CAST(`phone` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`phone`), ' bytes, SHA-256 ', SHA2(CAST(`phone` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `phone`,
  CAST(`active` AS CHAR CHARACTER SET utf8mb4) AS `active`
FROM `account${suffix}`
WHERE
  `id` = CAST(@sw_key_1 AS UNSIGNED);
