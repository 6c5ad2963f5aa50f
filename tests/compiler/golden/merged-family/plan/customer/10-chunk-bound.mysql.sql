-- customer: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `id`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `id`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `id`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` > CAST(@sw_low_1 AS SIGNED)
ORDER BY
  `id`
LIMIT 1
OFFSET `${chunk_rows}`;
