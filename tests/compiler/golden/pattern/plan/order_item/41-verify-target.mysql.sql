-- order_item: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `order_id`, `line_no`, COALESCE(HEX(`sku`), 'N'), HEX(`kind`)), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low
    OR (
      `order_id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `order_id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `order_id` = CAST(@sw_low_1 AS SIGNED) AND `line_no` > CAST(@sw_low_2 AS UNSIGNED)
        )
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `order_id` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `order_id` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `order_id` = CAST(@sw_high_1 AS SIGNED) AND `line_no` <= CAST(@sw_high_2 AS UNSIGNED)
        )
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`order_id` AS CHAR CHARACTER SET utf8mb4), CAST(`line_no` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- part: misplaced -- The row belongs to another table.
(
  NOT (
    (
      (
        `order_id` % 4
      ) + 4
    ) % 4 <=> @sw_shard
    AND (
      (
        (
          `order_id` % 8
        ) + 8
      ) % 8
    ) DIV 4 <=> @sw_part
  )
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  SUM(`${misplaced}`) AS `sw_misplaced`
FROM `order_item${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `order_item${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`order_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`line_no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `order_item${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `order_id`,
  `line_no`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`order_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`line_no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `order_item${suffix}`
WHERE
  (`order_id`, `line_no`) IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`order_id` AS CHAR CHARACTER SET utf8mb4) AS `order_id`,
  CAST(`line_no` AS CHAR CHARACTER SET utf8mb4) AS `line_no`,
  IF(
    LENGTH(`sku`) <= 200,
    CAST(`sku` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`sku`), ' bytes, SHA-256 ', SHA2(CAST(`sku` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `sku`,
  IF(
    LENGTH(`kind`) <= 200,
    CAST(`kind` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`kind`), ' bytes, SHA-256 ', SHA2(CAST(`kind` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `kind`
FROM `order_item${suffix}`
WHERE
  `order_id` = CAST(@sw_key_1 AS SIGNED) AND `line_no` = CAST(@sw_key_2 AS UNSIGNED);
