-- _sw_place_line: 11-chunk-read

-- statement: first -- Where the parents are: the first ones by key.
SELECT
  `order_code`,
  `number`,
  '${source_database}',
  `order_code`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    TRUE
  ) AND (
    NOT (
      `order_code` IS NULL
    )
  )
ORDER BY
  `order_code`,
  `number`
LIMIT 50000;

-- statement: next -- The ones after @sw_low.
SELECT
  `order_code`,
  `number`,
  '${source_database}',
  `order_code`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `order_code` >= (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
    AND (
      `order_code` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      OR (
        `order_code` = (
          CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
        )
        AND `number` > CAST(@sw_low_2 AS SIGNED)
      )
    )
  )
  AND (
    NOT (
      `order_code` IS NULL
    )
  )
ORDER BY
  `order_code`,
  `number`
LIMIT 50000;
