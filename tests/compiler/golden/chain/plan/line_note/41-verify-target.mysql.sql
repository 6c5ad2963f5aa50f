-- line_note: 41-verify-target

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

-- part: misplaced -- The row belongs to another table.
(
  NOT EXISTS(
    SELECT
      1
    FROM `order_line${suffix}` AS `p`
    WHERE
      `p`.`line` = `line_note${suffix}`.`line`
  )
  AND NOT (
    @sw_shard = 0
    AND @sw_part = 0
    AND NOT EXISTS(
      SELECT
        1
      FROM `_sw_place_order_line` AS `b`
      WHERE
        `b`.`line` = `line_note${suffix}`.`line`
    )
  )
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  SUM(`${misplaced}`) AS `sw_misplaced`
FROM `line_note${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `line_note${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`note_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `line_note${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `note_id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`note_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `line_note${suffix}`
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
FROM `line_note${suffix}`
WHERE
  `note_id` = CAST(@sw_key_1 AS SIGNED);
