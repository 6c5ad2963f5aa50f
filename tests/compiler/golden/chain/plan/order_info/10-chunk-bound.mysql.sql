-- order_info: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `shop`,
  `order_no`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `shop`,
  `order_no`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `shop`,
  `order_no`
FROM `${source_database}`.`${source_table}`
WHERE
  `shop` >= (
    CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  )
  AND (
    `shop` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
    OR (
      `shop` = (
        CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
      AND `order_no` > CAST(@sw_low_2 AS UNSIGNED)
    )
  )
ORDER BY
  `shop`,
  `order_no`
LIMIT 1
OFFSET `${chunk_rows}`;
