-- message: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `account_id`, `no`, HEX(`body`)), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low
    OR (
      `account_id` >= CAST(@sw_low_1 AS UNSIGNED)
      AND (
        `account_id` > CAST(@sw_low_1 AS UNSIGNED)
        OR (
          `account_id` = CAST(@sw_low_1 AS UNSIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
        )
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `account_id` <= CAST(@sw_high_1 AS UNSIGNED)
      AND (
        `account_id` < CAST(@sw_high_1 AS UNSIGNED)
        OR (
          `account_id` = CAST(@sw_high_1 AS UNSIGNED) AND `no` <= CAST(@sw_high_2 AS SIGNED)
        )
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`account_id` AS CHAR CHARACTER SET utf8mb4), CAST(`no` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `${database}`.`message${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${database}`.`message${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`account_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `${database}`.`message${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `account_id`,
  `no`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`account_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`no` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `${database}`.`message${suffix}`
WHERE
  (`account_id`, `no`) IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`account_id` AS CHAR CHARACTER SET utf8mb4) AS `account_id`,
  CAST(`no` AS CHAR CHARACTER SET utf8mb4) AS `no`,
  IF(
    LENGTH(`body`) <= 200,
    CAST(`body` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`body`), ' bytes, SHA-256 ', SHA2(CAST(`body` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `body`
FROM `${database}`.`message${suffix}`
WHERE
  `account_id` = CAST(@sw_key_1 AS UNSIGNED) AND `no` = CAST(@sw_key_2 AS SIGNED);
