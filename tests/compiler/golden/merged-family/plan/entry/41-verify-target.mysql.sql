-- entry: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', `id`, COALESCE(`account_id`, 'N'), HEX(`of_shop`)), 256), 16), 16, 10) AS UNSIGNED)
);

-- part: range -- The row's key is in the range.
(
  (
    @sw_no_low
    OR (
      `id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_low_1 AS SIGNED)
          AND `of_shop` > (
            CAST(@sw_low_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
  )
  AND (
    @sw_no_high
    OR (
      `id` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `id` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `id` = CAST(@sw_high_1 AS SIGNED)
          AND `of_shop` <= (
            CAST(@sw_high_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
          )
        )
      )
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  CRC32(CONCAT_WS(',', CAST(`id` AS CHAR CHARACTER SET utf8mb4), CAST(`of_shop` AS CHAR CHARACTER SET utf8mb4))) % 64
);

-- part: misplaced -- The row belongs to another table.
(
  NOT EXISTS(
    SELECT
      1
    FROM `account${suffix}` AS `p`
    WHERE
      `p`.`id` = `entry${suffix}`.`account_id` AND `p`.`shop` = `entry${suffix}`.`of_shop`
  )
  AND NOT (
    @sw_shard = 0
    AND @sw_part = 0
    AND NOT EXISTS(
      SELECT
        1
      FROM `_sw_place_account` AS `b`
      WHERE
        `b`.`id` = `entry${suffix}`.`account_id` AND `b`.`shop` = `entry${suffix}`.`of_shop`
    )
  )
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  SUM(`${misplaced}`) AS `sw_misplaced`
FROM `entry${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `entry${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`of_shop` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `entry${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `id`,
  `of_shop`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(`of_shop` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_2`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `entry${suffix}`
WHERE
  (`id`, `of_shop`) IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  CAST(`account_id` AS CHAR CHARACTER SET utf8mb4) AS `account_id`,
  IF(
    LENGTH(`of_shop`) <= 200,
    CAST(`of_shop` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`of_shop`), ' bytes, SHA-256 ', SHA2(CAST(`of_shop` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `of_shop`
FROM `entry${suffix}`
WHERE
  `id` = CAST(@sw_key_1 AS SIGNED)
  AND `of_shop` = (
    CAST(@sw_key_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );
