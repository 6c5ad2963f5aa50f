-- _sw_place_customer: 11-chunk-read

-- statement: first -- Where the parents are: the first ones by key.
SELECT
  `id`,
  '${source_database}',
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 3 AS `sw_at_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 3
  ) % 2 AS `sw_at_part`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE
ORDER BY
  `id`
LIMIT 50000;

-- statement: next -- The ones after @sw_low.
SELECT
  `id`,
  '${source_database}',
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 3 AS `sw_at_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 3
  ) % 2 AS `sw_at_part`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` > CAST(@sw_low_1 AS SIGNED)
ORDER BY
  `id`
LIMIT 50000;
