-- order_item: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `item`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `item`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `item`
FROM `${source_database}`.`${source_table}`
WHERE
  `item` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
ORDER BY
  `item`
LIMIT 1
OFFSET `${chunk_rows}`;
