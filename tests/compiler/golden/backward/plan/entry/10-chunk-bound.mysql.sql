-- entry: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `account_id`,
  `no`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `account_id`,
  `no`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `account_id`,
  `no`
FROM `${source_database}`.`${source_table}`
WHERE
  `account_id` >= CAST(@sw_low_1 AS UNSIGNED)
  AND (
    `account_id` > CAST(@sw_low_1 AS UNSIGNED)
    OR (
      `account_id` = CAST(@sw_low_1 AS UNSIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
    )
  )
ORDER BY
  `account_id`,
  `no`
LIMIT 1
OFFSET `${chunk_rows}`;
