-- customer: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 3 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 3
  ) % 2 AS `sw_part`,
  `id`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 3 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 3
  ) % 2 AS `sw_part`,
  `id`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` <= CAST(@sw_high_1 AS SIGNED);

-- statement: after -- Chunk with bounds 'after'.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 3 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 3
  ) % 2 AS `sw_part`,
  `id`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` > CAST(@sw_low_1 AS SIGNED);

-- statement: between -- Chunk with bounds 'between'.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 3 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 3
  ) % 2 AS `sw_part`,
  `id`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `id` > CAST(@sw_low_1 AS SIGNED)
  ) AND (
    `id` <= CAST(@sw_high_1 AS SIGNED)
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `id`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` IN (`${keys}`);
