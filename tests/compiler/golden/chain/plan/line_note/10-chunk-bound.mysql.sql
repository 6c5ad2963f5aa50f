-- line_note: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `note_id`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `note_id`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `note_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `note_id` > CAST(@sw_low_1 AS SIGNED)
ORDER BY
  `note_id`
LIMIT 1
OFFSET `${chunk_rows}`;
