-- order_info: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `order_no`,
  `buyer_id`,
  `invoice`,
  `amt`,
  CAST(`weight` AS DOUBLE),
  HEX(`signature`),
  `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `order_no`,
  `buyer_id`,
  `invoice`,
  `amt`,
  CAST(`weight` AS DOUBLE),
  HEX(`signature`),
  `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_no` <= (
    CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `order_no`,
  `buyer_id`,
  `invoice`,
  `amt`,
  CAST(`weight` AS DOUBLE),
  HEX(`signature`),
  `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_no` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `order_no`,
  `buyer_id`,
  `invoice`,
  `amt`,
  CAST(`weight` AS DOUBLE),
  HEX(`signature`),
  `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `order_no` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
    )
  )
  AND (
    `order_no` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `order_no`,
  `buyer_id`,
  `invoice`,
  `amt`,
  CAST(`weight` AS DOUBLE),
  HEX(`signature`),
  `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_no` IN (`${keys}`);
