-- account: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(',', `id`, HEX(`email`), HEX(CAST(`kind` AS CHAR CHARACTER SET utf8mb4)), `limit_amount`, COALESCE(`born`, 'N'), `active`),
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

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `${database}`.`account${suffix}`
WHERE
  (
    `${range}`
  ) AND (
    `active` = 1
  )
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `${database}`.`account${suffix}`
WHERE
  `active` = 1;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `${database}`.`account${suffix}`
WHERE
  (
    `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
  ) AND (
    `active` = 1
  )
ORDER BY
  `id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `${database}`.`account${suffix}`
WHERE
  (
    `id` IN (`${keys}`)
  ) AND (
    `active` = 1
  );

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
  CAST(`limit_amount` AS CHAR CHARACTER SET utf8mb4) AS `limit_amount`,
  CAST(`born` AS CHAR CHARACTER SET utf8mb4) AS `born`,
  CAST(`active` AS CHAR CHARACTER SET utf8mb4) AS `active`
FROM `${database}`.`account${suffix}`
WHERE
  `id` = CAST(@sw_key_1 AS UNSIGNED);
