-- order_item: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(',', HEX(`item`), COALESCE(HEX(`shop`), 'N'), COALESCE(`order_no`, 'N'), COALESCE(HEX(`note`), 'N')),
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
      `item` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `item` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`item` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `${database}`.`order_item${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${database}`.`order_item${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`item` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `${database}`.`order_item${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `item`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`item` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `${database}`.`order_item${suffix}`
WHERE
  `item` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`item`) <= 200,
    CAST(`item` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`item`), ' bytes, SHA-256 ', SHA2(CAST(`item` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `item`,
  IF(
    LENGTH(`shop`) <= 200,
    CAST(`shop` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`shop`), ' bytes, SHA-256 ', SHA2(CAST(`shop` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `shop`,
  CAST(`order_no` AS CHAR CHARACTER SET utf8mb4) AS `order_no`,
  IF(
    LENGTH(`note`) <= 200,
    CAST(`note` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`note`), ' bytes, SHA-256 ', SHA2(CAST(`note` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `note`
FROM `${database}`.`order_item${suffix}`
WHERE
  `item` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  );
