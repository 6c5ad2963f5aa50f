-- orders: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', HEX(`code`), COALESCE(`customer_id`, 'N'), `total`), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low OR (
      `code` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `code` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`code` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- part: misplaced -- The row belongs to another table.
(
  NOT EXISTS(
    SELECT
      1
    FROM `customer${suffix}` AS `p`
    WHERE
      `p`.`id` = `orders${suffix}`.`customer_id`
  )
  AND NOT (
    @sw_shard = 0
    AND @sw_part = 0
    AND NOT EXISTS(
      SELECT
        1
      FROM `_sw_place_customer` AS `b`
      WHERE
        `b`.`id` = `orders${suffix}`.`customer_id`
    )
  )
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  SUM(`${misplaced}`) AS `sw_misplaced`
FROM `orders${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `orders${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `orders${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `code`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `orders${suffix}`
WHERE
  `code` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`code`) <= 200,
    CAST(`code` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`code`), ' bytes, SHA-256 ', SHA2(CAST(`code` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `code`,
  CAST(`customer_id` AS CHAR CHARACTER SET utf8mb4) AS `customer_id`,
  CAST(`total` AS CHAR CHARACTER SET utf8mb4) AS `total`
FROM `orders${suffix}`
WHERE
  `code` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  );
