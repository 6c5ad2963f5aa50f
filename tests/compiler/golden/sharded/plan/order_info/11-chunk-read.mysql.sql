-- order_info: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  CRC32(CAST(CAST(`buyer_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 16 AS `sw_shard`,
  (
    CRC32(CAST(CAST(`buyer_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 16
  ) % 16 AS `sw_part`,
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
  CRC32(CAST(CAST(`buyer_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 16 AS `sw_shard`,
  (
    CRC32(CAST(CAST(`buyer_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 16
  ) % 16 AS `sw_part`,
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
  CRC32(CAST(CAST(`buyer_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 16 AS `sw_shard`,
  (
    CRC32(CAST(CAST(`buyer_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 16
  ) % 16 AS `sw_part`,
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
  CRC32(CAST(CAST(`buyer_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 16 AS `sw_shard`,
  (
    CRC32(CAST(CAST(`buyer_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 16
  ) % 16 AS `sw_part`,
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
