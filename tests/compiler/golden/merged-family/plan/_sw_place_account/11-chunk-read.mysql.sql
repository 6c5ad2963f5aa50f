-- _sw_place_account: 11-chunk-read

-- statement: first -- Where the parents are: the first ones by key.
SELECT
  `id`,
  '${source_database}',
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 3 AS `sw_at_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 3
  ) % 2 AS `sw_at_part`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `shop`
) AS `sw_origin`
WHERE
  TRUE
ORDER BY
  `id`,
  `shop`
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
CROSS JOIN (
  SELECT
    '${source_database}' AS `shop`
) AS `sw_origin`
WHERE
  `id` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `id` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `id` = CAST(@sw_low_1 AS SIGNED)
      AND `shop` > (
        CAST(@sw_low_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  )
ORDER BY
  `id`,
  `shop`
LIMIT 50000;
