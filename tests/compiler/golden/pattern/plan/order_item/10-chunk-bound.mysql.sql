-- order_item: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `order_id`,
  `line_no`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `order_id`,
  `line_no`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `order_id`,
  `line_no`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_id` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `order_id` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `order_id` = CAST(@sw_low_1 AS SIGNED) AND `line_no` > CAST(@sw_low_2 AS UNSIGNED)
    )
  )
ORDER BY
  `order_id`,
  `line_no`
LIMIT 1
OFFSET `${chunk_rows}`;
