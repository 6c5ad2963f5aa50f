-- page: 10-chunk-bound

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

-- statement: bytes -- Length of the long values of the row @sw_low.
SELECT
  COALESCE(OCTET_LENGTH(`url`), 0) + COALESCE(OCTET_LENGTH(`doc`), 0) AS `row_bytes`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` = CAST(@sw_low_1 AS SIGNED);
