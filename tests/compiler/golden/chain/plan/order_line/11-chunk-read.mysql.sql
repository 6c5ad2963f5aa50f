-- order_line: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `line`,
  `shop`,
  `order_no`,
  `cancelled`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    TRUE
  ) AND (
    `cancelled` = 0
  );

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `line`,
  `shop`,
  `order_no`,
  `cancelled`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `line` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
  )
  AND (
    `cancelled` = 0
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `line`,
  `shop`,
  `order_no`,
  `cancelled`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `line` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
  )
  AND (
    `cancelled` = 0
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `line`,
  `shop`,
  `order_no`,
  `cancelled`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    (
      `line` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
    AND (
      `line` <= (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
    )
  )
  AND (
    `cancelled` = 0
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `line`,
  `shop`,
  `order_no`,
  `cancelled`
FROM `${source_database}`.`${source_table}`
WHERE
  `line` IN (`${keys}`);
