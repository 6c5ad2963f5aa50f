-- payment: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `payer`,
  `id`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `payer`,
  `id`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `payer`,
  `id`
FROM `${source_database}`.`${source_table}`
WHERE
  `payer` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `payer` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `payer` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
    )
  )
ORDER BY
  `payer`,
  `id`
LIMIT 1
OFFSET `${chunk_rows}`;
