-- visit: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `customer_id`, `no`, COALESCE(`seen`, 'N'), HEX(`crm`)), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low
    OR (
      `customer_id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `customer_id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `customer_id` = CAST(@sw_low_1 AS SIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
        )
        OR (
          `customer_id` = CAST(@sw_low_1 AS SIGNED)
          AND `no` = CAST(@sw_low_2 AS SIGNED)
          AND `crm` > (
            CAST(@sw_low_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `customer_id` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `customer_id` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `customer_id` = CAST(@sw_high_1 AS SIGNED) AND `no` < CAST(@sw_high_2 AS SIGNED)
        )
        OR (
          `customer_id` = CAST(@sw_high_1 AS SIGNED)
          AND `no` = CAST(@sw_high_2 AS SIGNED)
          AND `crm` <= (
            CAST(@sw_high_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(
    CONCAT_WS(
      ',',
      CAST(`customer_id` AS CHAR CHARACTER SET utf8mb4),
      CAST(`no` AS CHAR CHARACTER SET utf8mb4),
      CAST(`crm` AS CHAR CHARACTER SET utf8mb4)
    )
  ) % 64
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
  CAST(`customer_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  CAST(`crm` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_3`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `customer_id`,
  `no`,
  `crm`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`customer_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  CAST(`crm` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_3`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `customer_id`,
  `no`,
  `crm`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`customer_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  CAST(`crm` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_3`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  (`customer_id`, `no`, `crm`) IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`customer_id` AS CHAR CHARACTER SET utf8mb4) AS `customer_id`,
  CAST(`no` AS CHAR CHARACTER SET utf8mb4) AS `no`,
  CAST(`seen` AS CHAR CHARACTER SET utf8mb4) AS `seen`,
  IF(
    LENGTH(`crm`) <= 200,
    CAST(`crm` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`crm`), ' bytes, SHA-256 ', SHA2(CAST(`crm` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `crm`
FROM `${source_database}`.`${source_table}`
WHERE
  `customer_id` = CAST(@sw_key_1 AS SIGNED)
  AND `no` = CAST(@sw_key_2 AS SIGNED)
  AND `crm` = (
    CAST(@sw_key_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );
