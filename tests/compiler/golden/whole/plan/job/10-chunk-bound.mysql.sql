-- job: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `name`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `name`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `name`
FROM `${source_database}`.`${source_table}`
WHERE
  `name` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  )
ORDER BY
  `name`
LIMIT 1
OFFSET `${chunk_rows}`;
