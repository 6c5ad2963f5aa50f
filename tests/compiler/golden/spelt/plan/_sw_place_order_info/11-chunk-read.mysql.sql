-- _sw_place_order_info: 11-chunk-read

-- statement: first -- Where the parents are: the first ones by key.
SELECT
  `shop_code`,
  `order_no`,
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_at_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_at_part`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `shop_code`,
  `order_no`
LIMIT 50000;

-- statement: next -- The ones after @sw_low.
SELECT
  `shop_code`,
  `order_no`,
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_at_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_at_part`
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
  )
ORDER BY
  `shop_code`,
  `order_no`
LIMIT 50000;
