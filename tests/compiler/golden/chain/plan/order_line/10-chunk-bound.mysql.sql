-- order_line: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `line`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `line`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `line`
FROM `${source_database}`.`${source_table}`
WHERE
  `line` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
ORDER BY
  `line`
LIMIT 1
OFFSET `${chunk_rows}`;
