-- order_item: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `item_id`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `item_id`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `item_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `item_id` > CAST(@sw_low_1 AS SIGNED)
ORDER BY
  `item_id`
LIMIT 1
OFFSET `${chunk_rows}`;
