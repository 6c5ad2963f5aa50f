-- orders: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `user_id`,
  `id`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `user_id`,
  `id`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `user_id`,
  `id`
FROM `${source_database}`.`${source_table}`
WHERE
  `user_id` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `user_id` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `user_id` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
    )
  )
ORDER BY
  `user_id`,
  `id`
LIMIT 1
OFFSET `${chunk_rows}`;
