-- orders: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `code`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `code`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `code`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
ORDER BY
  `code`
LIMIT 1
OFFSET `${chunk_rows}`;
