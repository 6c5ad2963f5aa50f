-- _sw_place_orders: 11-chunk-read

-- statement: first -- Where the parents are: the first ones by key.
SELECT
  `code`,
  '${source_database}.${source_table}',
  `customer_id`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    TRUE
  ) AND (
    NOT (
      `customer_id` IS NULL
    )
  )
ORDER BY
  `code`
LIMIT 50000;

-- statement: next -- The ones after @sw_low.
SELECT
  `code`,
  '${source_database}.${source_table}',
  `customer_id`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `code` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
  )
  AND (
    NOT (
      `customer_id` IS NULL
    )
  )
ORDER BY
  `code`
LIMIT 50000;
