-- visit: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `id`,
  CAST(`at` AS CHAR CHARACTER SET utf8mb4)
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `id`,
  `at`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `id`,
  CAST(`at` AS CHAR CHARACTER SET utf8mb4)
FROM `${source_database}`.`${source_table}`
WHERE
  `id` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `id` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `id` = CAST(@sw_low_1 AS SIGNED) AND `at` > CAST(@sw_low_2 AS DATETIME(0))
    )
  )
ORDER BY
  `id`,
  `at`
LIMIT 1
OFFSET `${chunk_rows}`;
