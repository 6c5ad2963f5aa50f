-- _sw_place_account: 11-chunk-read

-- statement: first -- Where the parents are: the first ones by key.
SELECT
  `id`,
  CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_at_shard`,
  (
    CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_at_part`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    TRUE
  ) AND (
    `active` = 1
  )
ORDER BY
  `id`
LIMIT 50000;

-- statement: next -- The ones after @sw_low.
SELECT
  `id`,
  CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_at_shard`,
  (
    CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_at_part`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `id` > CAST(@sw_low_1 AS UNSIGNED)
  ) AND (
    `active` = 1
  )
ORDER BY
  `id`
LIMIT 50000;
