-- page: 41-verify-target

-- part: hash -- The row as one number.
(
  CAST(CONV(
    LEFT(
      SHA2(
        CONCAT_WS(
          ',',
          `id`,
          `shop`,
          SHA2(`address`, 256),
          HEX(CAST(`code` AS CHAR CHARACTER SET utf8mb4)),
          HEX(`digest`),
          COALESCE(HEX(CAST(`mail` AS CHAR CHARACTER SET utf8mb4)), 'N'),
          HEX(`title`),
          COALESCE(
            SHA2(
              CAST(IF(
                CAST(CAST(`doc` AS CHAR CHARACTER SET utf8mb4) AS JSON) = `doc`
                OR NOT REGEXP_LIKE(CAST(`doc` AS CHAR CHARACTER SET utf8mb4), '(?=[0-9.]{17})[0-9]{0,16}[.]|[0-9]{20}'),
                CAST(CAST(`doc` AS CHAR CHARACTER SET utf8mb4) AS JSON),
                `doc`
              ) AS CHAR CHARACTER SET utf8mb4),
              256
            ),
            'N'
          )
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
      `id` > CAST(@sw_low_1 AS SIGNED)
    )
  )
  AND (
    @sw_no_high OR (
      `id` <= CAST(@sw_high_1 AS SIGNED)
    )
  )
);

-- part: bucket -- The bucket that follows from the row's key.
(
  `id` DIV @sw_stride % 64
);

-- part: misplaced -- The row belongs to another table.
(
  NOT (
    `shop` % 2 <=> @sw_shard AND 0 <=> @sw_part
  )
);

-- statement: sum -- As at the source, and how many rows belong to another table.
SELECT
  `${bucket}` AS `sw_bucket`,
  COUNT(*) AS `sw_rows`,
  SUM(`${hash}`) AS `sw_hash`,
  SUM(`${misplaced}`) AS `sw_misplaced`
FROM `page${suffix}`
WHERE
  `${range}`
GROUP BY
  `sw_bucket`;

-- statement: count -- All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `page${suffix}`;

-- statement: keys -- The rows of some buckets of a range by key and hash.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `page${suffix}`
WHERE
  `${range}` AND `${bucket}` BETWEEN @sw_first_bucket AND @sw_last_bucket
ORDER BY
  `id`;

-- statement: given -- As `keys`, of rows that are asked for.
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  `${hash}` AS `sw_hash`,
  `${misplaced}` AS `sw_misplaced`
FROM `page${suffix}`
WHERE
  `id` IN (`${keys}`);

-- statement: row -- One row for display: key in @sw_key_1, ...
SELECT
  CAST(`id` AS CHAR CHARACTER SET utf8mb4) AS `id`,
  CAST(`shop` AS CHAR CHARACTER SET utf8mb4) AS `shop`,
  IF(
    LENGTH(`address`) <= 200,
    CAST(`address` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`address`), ' bytes, SHA-256 ', SHA2(CAST(`address` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `address`,
  IF(
    LENGTH(`code`) <= 200,
    CAST(`code` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`code`), ' bytes, SHA-256 ', SHA2(CAST(`code` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `code`,
  IF(LENGTH(`digest`) <= 200, HEX(`digest`), CONCAT(LENGTH(`digest`), ' bytes, SHA-256 ', SHA2(`digest`, 256))) AS `digest`,
  IF(
    LENGTH(`mail`) <= 200,
    CAST(`mail` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`mail`), ' bytes, SHA-256 ', SHA2(CAST(`mail` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `mail`,
  IF(
    LENGTH(`title`) <= 200,
    CAST(`title` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`title`), ' bytes, SHA-256 ', SHA2(CAST(`title` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `title`,
  IF(
    LENGTH(
      IF(
        CAST(CAST(`doc` AS CHAR CHARACTER SET utf8mb4) AS JSON) = `doc`
        OR NOT REGEXP_LIKE(CAST(`doc` AS CHAR CHARACTER SET utf8mb4), '(?=[0-9.]{17})[0-9]{0,16}[.]|[0-9]{20}'),
        CAST(CAST(`doc` AS CHAR CHARACTER SET utf8mb4) AS JSON),
        `doc`
      )
    ) <= 200,
    CAST(IF(
      CAST(CAST(`doc` AS CHAR CHARACTER SET utf8mb4) AS JSON) = `doc`
      OR NOT REGEXP_LIKE(CAST(`doc` AS CHAR CHARACTER SET utf8mb4), '(?=[0-9.]{17})[0-9]{0,16}[.]|[0-9]{20}'),
      CAST(CAST(`doc` AS CHAR CHARACTER SET utf8mb4) AS JSON),
      `doc`
    ) AS CHAR CHARACTER SET utf8mb4),
    CONCAT(
      LENGTH(
        IF(
          CAST(CAST(`doc` AS CHAR CHARACTER SET utf8mb4) AS JSON) = `doc`
          OR NOT REGEXP_LIKE(CAST(`doc` AS CHAR CHARACTER SET utf8mb4), '(?=[0-9.]{17})[0-9]{0,16}[.]|[0-9]{20}'),
          CAST(CAST(`doc` AS CHAR CHARACTER SET utf8mb4) AS JSON),
          `doc`
        )
      ),
      ' bytes, SHA-256 ',
      SHA2(
        CAST(IF(
          CAST(CAST(`doc` AS CHAR CHARACTER SET utf8mb4) AS JSON) = `doc`
          OR NOT REGEXP_LIKE(CAST(`doc` AS CHAR CHARACTER SET utf8mb4), '(?=[0-9.]{17})[0-9]{0,16}[.]|[0-9]{20}'),
          CAST(CAST(`doc` AS CHAR CHARACTER SET utf8mb4) AS JSON),
          `doc`
        ) AS CHAR CHARACTER SET utf8mb4),
        256
      )
    )
  ) AS `doc`
FROM `page${suffix}`
WHERE
  `id` = CAST(@sw_key_1 AS SIGNED);
