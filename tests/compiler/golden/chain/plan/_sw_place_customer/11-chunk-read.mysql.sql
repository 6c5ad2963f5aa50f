-- _sw_place_customer: 11-chunk-read

-- statement: first -- Where the parents are: the first ones by key.
SELECT
  `code`,
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_at_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_at_part`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `code`
LIMIT 50000;

-- statement: next -- The ones after @sw_low.
SELECT
  `code`,
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_at_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_at_part`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  )
ORDER BY
  `code`
LIMIT 50000;
