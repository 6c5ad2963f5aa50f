-- sum: As at the source, and how many rows belong to another table.
SELECT
  COUNT(*) AS `sw_rows`,
  COALESCE(
    SUM(
      CAST(CONV(LEFT(SHA2(CONCAT_WS(',', HEX(CAST(`code` AS CHAR CHARACTER SET utf8mb4))), 256), 16), 16, 10) AS UNSIGNED)
    ),
    0
  ) AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `region${suffix}`
WHERE
  (
    @sw_no_low OR (
      `code` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
  AND (
    @sw_no_high OR (
      `code` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  );

-- count: All rows: no row may fall between the ranges.
SELECT
  COUNT(*) AS `sw_rows`
FROM `region${suffix}`;

-- keys: The rows of a small range by key and hash.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', HEX(CAST(`code` AS CHAR CHARACTER SET utf8mb4))), 256), 16), 16, 10) AS UNSIGNED) AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `region${suffix}`
WHERE
  (
    @sw_no_low OR (
      `code` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
  AND (
    @sw_no_high OR (
      `code` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
ORDER BY
  `code`;

-- given: As `keys`, of rows that are asked for.
SELECT
  CAST(`code` AS CHAR CHARACTER SET utf8mb4) AS `sw_key_1`,
  CAST(CONV(LEFT(SHA2(CONCAT_WS(',', HEX(CAST(`code` AS CHAR CHARACTER SET utf8mb4))), 256), 16), 16, 10) AS UNSIGNED) AS `sw_hash`,
  0 AS `sw_misplaced`
FROM `region${suffix}`
WHERE
  `code` IN (`${keys}`);

-- row: One row for display: key in @sw_key_1, ...
SELECT
  IF(
    LENGTH(`code`) <= 200,
    CAST(`code` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`code`), ' bytes, SHA-256 ', SHA2(CAST(`code` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `code`
FROM `region${suffix}`
WHERE
  `code` = (
    CAST(@sw_key_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );
