-- order_info: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `shop_code`,
  `order_no`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `shop_code`,
  `order_no`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `shop_code`,
  `order_no`
FROM `${source_database}`.`${source_table}`
WHERE
  `shop_code` >= (
    CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
  AND (
    `shop_code` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
    OR (
      `shop_code` = (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      AND `order_no` > CAST(@sw_low_2 AS UNSIGNED)
    )
  )
ORDER BY
  `shop_code`,
  `order_no`
LIMIT 1
OFFSET `${chunk_rows}`;
