-- line_note: 40-verify-source

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `note_id`, HEX(`line`), COALESCE(HEX(`text`), 'N')), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low OR (
      `note_id` > CAST(@sw_low_1 AS SIGNED)
    )
  )
  AND (
    @sw_no_high OR (
      `note_id` <= CAST(@sw_high_1 AS SIGNED)
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  `note_id` DIV @sw_stride % 64
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
  CAST(`note_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}`
ORDER BY
  `note_id`
LIMIT 1
OFFSET 19999;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`note_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `note_id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`note_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`
FROM `${source_database}`.`${source_table}`
WHERE
  `note_id` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`note_id` AS CHAR CHARACTER SET utf8mb4) AS `note_id`,
  IF(
    LENGTH(`line`) <= 200,
    CAST(`line` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`line`), ' bytes, SHA-256 ', SHA2(CAST(`line` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `line`,
  IF(
    LENGTH(`text`) <= 200,
    CAST(`text` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`text`), ' bytes, SHA-256 ', SHA2(CAST(`text` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `text`
FROM `${source_database}`.`${source_table}`
WHERE
  `note_id` = CAST(@sw_key_1 AS SIGNED);
