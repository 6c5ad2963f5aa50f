-- order_info: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `order_no`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `order_no`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `order_no`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_no` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  )
ORDER BY
  `order_no`
LIMIT 1
OFFSET `${chunk_rows}`;
