-- account: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `id`,
  `shop`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `shop`
) AS `sw_origin`
WHERE
  TRUE
ORDER BY
  `id`,
  `shop`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `id`,
  `shop`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `shop`
) AS `sw_origin`
WHERE
  `id` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `id` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `id` = CAST(@sw_low_1 AS SIGNED)
      AND `shop` > (
        CAST(@sw_low_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
ORDER BY
  `id`,
  `shop`
LIMIT 1
OFFSET `${chunk_rows}`;
