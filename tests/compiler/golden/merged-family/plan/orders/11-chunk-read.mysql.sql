-- orders: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `code`,
  `customer_id`,
  `total`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `code`,
  `customer_id`,
  `total`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` <= (
    CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `code`,
  `customer_id`,
  `total`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `code`,
  `customer_id`,
  `total`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `code` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
  )
  AND (
    `code` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `code`,
  `customer_id`,
  `total`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` IN (`${keys}`);
