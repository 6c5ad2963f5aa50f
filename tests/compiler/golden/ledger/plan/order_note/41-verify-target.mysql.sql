-- order_note: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(
          ',',
          HEX(`note_id`),
          COALESCE(HEX(CAST(`shop` AS CHAR CHARACTER SET utf8mb4)), 'N'),
          COALESCE(`no`, 'N'),
          COALESCE(HEX(`text`), 'N'),
          `updated_at`
        ),
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
      `note_id` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
  AND (
    @sw_no_high OR (
      `note_id` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`note_id` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- part: misplaced -- The row belongs to another table.
(
  NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`order_info${suffix}` AS `p`
    WHERE
      `p`.`shop_code` = `order_note${suffix}`.`shop` AND `p`.`order_no` = `order_note${suffix}`.`no`
  )
  AND NOT (
    @sw_shard = 0
    AND @sw_part = 0
    AND NOT EXISTS(
      SELECT
        1
      FROM `_sw_place_order_info` AS `b`
      WHERE
        `b`.`shop_code` = `order_note${suffix}`.`shop` AND `b`.`order_no` = `order_note${suffix}`.`no`
    )
  )
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  SUM(`${misplaced}`) AS `sw_misplaced`
FROM `${database}`.`order_note${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${database}`.`order_note${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`note_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `${database}`.`order_note${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `note_id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`note_id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `${database}`.`order_note${suffix}`
WHERE
  `note_id` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`note_id`) <= 200,
    CAST(`note_id` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`note_id`), ' bytes, SHA-256 ', SHA2(CAST(`note_id` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `note_id`,
  IF(
    LENGTH(`shop`) <= 200,
    CAST(`shop` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`shop`), ' bytes, SHA-256 ', SHA2(CAST(`shop` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `shop`,
  CAST(`no` AS CHAR CHARACTER SET utf8mb4) AS `no`,
  IF(
    LENGTH(`text`) <= 200,
    CAST(`text` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`text`), ' bytes, SHA-256 ', SHA2(CAST(`text` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `text`,
  CAST(`updated_at` AS CHAR CHARACTER SET utf8mb4) AS `updated_at`
FROM `${database}`.`order_note${suffix}`
WHERE
  `note_id` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );
