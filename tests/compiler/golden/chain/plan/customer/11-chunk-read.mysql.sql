-- customer: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `code`,
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
  `code`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` <= (
    CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `code`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `code`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `code` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
  )
  AND (
    `code` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `code`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` IN (`${keys}`);
