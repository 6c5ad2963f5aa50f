-- order_item: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `item`,
  `shop`,
  `order_no`,
  `note`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `item`,
  `shop`,
  `order_no`,
  `note`
FROM `${source_database}`.`${source_table}`
WHERE
  `item` <= (
    CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `item`,
  `shop`,
  `order_no`,
  `note`
FROM `${source_database}`.`${source_table}`
WHERE
  `item` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `item`,
  `shop`,
  `order_no`,
  `note`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `item` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
  )
  AND (
    `item` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `item`,
  `shop`,
  `order_no`,
  `note`
FROM `${source_database}`.`${source_table}`
WHERE
  `item` IN (`${keys}`);
