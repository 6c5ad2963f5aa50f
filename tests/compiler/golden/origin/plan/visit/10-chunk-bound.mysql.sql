-- visit: 10-chunk-bound

-- statement: first -- End of the first chunk.
SELECT
  `customer_id`,
  `no`,
  `crm`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}.${source_table}' AS `crm`
) AS `sw_origin`
WHERE
  TRUE
ORDER BY
  `customer_id`,
  `no`,
  `crm`
LIMIT 1
OFFSET `${chunk_rows}`;

-- statement: next -- End of the chunk after @sw_low.
SELECT
  `customer_id`,
  `no`,
  `crm`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}.${source_table}' AS `crm`
) AS `sw_origin`
WHERE
  `customer_id` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `customer_id` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `customer_id` = CAST(@sw_low_1 AS SIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
    )
    OR (
      `customer_id` = CAST(@sw_low_1 AS SIGNED)
      AND `no` = CAST(@sw_low_2 AS SIGNED)
      AND `crm` > (
        CAST(@sw_low_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
ORDER BY
  `customer_id`,
  `no`,
  `crm`
LIMIT 1
OFFSET `${chunk_rows}`;
