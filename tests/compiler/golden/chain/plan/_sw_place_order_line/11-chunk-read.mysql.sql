-- _sw_place_order_line: 11-chunk-read

-- statement: first -- Where the parents are: the first ones by key.
SELECT
  `line`,
  TRIM(TRAILING ' ' FROM `shop`),
  `order_no`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    TRUE
  ) AND (
    `cancelled` = 0 AND NOT (
      `shop` IS NULL
    ) AND NOT (
      `order_no` IS NULL
    )
  )
ORDER BY
  `line`
LIMIT 50000;

-- statement: next -- The ones after @sw_low.
SELECT
  `line`,
  TRIM(TRAILING ' ' FROM `shop`),
  `order_no`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `line` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
  )
  AND (
    `cancelled` = 0 AND NOT (
      `shop` IS NULL
    ) AND NOT (
      `order_no` IS NULL
    )
  )
ORDER BY
  `line`
LIMIT 50000;
