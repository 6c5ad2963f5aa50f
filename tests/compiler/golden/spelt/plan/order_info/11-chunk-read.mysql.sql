-- order_info: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `shop_code`,
  `order_no`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `shop_code`,
  `order_no`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `shop_code` <= (
    CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
  AND (
    `shop_code` < (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
    OR (
      `shop_code` = (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      AND `order_no` <= CAST(@sw_high_2 AS UNSIGNED)
    )
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `shop_code`,
  `order_no`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `shop_code` >= (
    CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
  AND (
    `shop_code` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
    OR (
      `shop_code` = (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      AND `order_no` > CAST(@sw_low_2 AS UNSIGNED)
    )
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `shop_code`,
  `order_no`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `shop_code` >= (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
    AND (
      `shop_code` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      OR (
        `shop_code` = (
          CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
        )
        AND `order_no` > CAST(@sw_low_2 AS UNSIGNED)
      )
    )
  )
  AND (
    `shop_code` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
    AND (
      `shop_code` < (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      OR (
        `shop_code` = (
          CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
        )
        AND `order_no` <= CAST(@sw_high_2 AS UNSIGNED)
      )
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `shop_code`,
  `order_no`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  (`shop_code`, `order_no`) IN (`${keys}`);
