-- line: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `order_code`,
  `number`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `order_code`,
  `number`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `order_code`,
  `number`
FROM `${source_database}`.`${source_table}`
WHERE
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
ORDER BY
  `order_code`,
  `number`
LIMIT 1
OFFSET `${chunk_rows}`;
