-- visit: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `id`,
  `at`,
  `page`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `id`,
  `at`,
  `page`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` <= CAST(@sw_high_1 AS SIGNED)
  AND (
    `id` < CAST(@sw_high_1 AS SIGNED)
    OR (
      `id` = CAST(@sw_high_1 AS SIGNED) AND `at` <= CAST(@sw_high_2 AS DATETIME(0))
    )
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `id`,
  `at`,
  `page`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `id` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `id` = CAST(@sw_low_1 AS SIGNED) AND `at` > CAST(@sw_low_2 AS DATETIME(0))
    )
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `id`,
  `at`,
  `page`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `id` >= CAST(@sw_low_1 AS SIGNED)
    AND (
      `id` > CAST(@sw_low_1 AS SIGNED)
      OR (
        `id` = CAST(@sw_low_1 AS SIGNED) AND `at` > CAST(@sw_low_2 AS DATETIME(0))
      )
    )
  )
  AND (
    `id` <= CAST(@sw_high_1 AS SIGNED)
    AND (
      `id` < CAST(@sw_high_1 AS SIGNED)
      OR (
        `id` = CAST(@sw_high_1 AS SIGNED) AND `at` <= CAST(@sw_high_2 AS DATETIME(0))
      )
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `id`,
  `at`,
  `page`
FROM `${source_database}`.`${source_table}`
WHERE
  (`id`, `at`) IN (`${keys}`);
