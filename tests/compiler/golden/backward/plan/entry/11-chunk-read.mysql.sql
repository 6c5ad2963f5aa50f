-- entry: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  CRC32(CAST(CAST(`account_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(CAST(`account_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `no`,
  `account_id`,
  `text`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  CRC32(CAST(CAST(`account_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(CAST(`account_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `no`,
  `account_id`,
  `text`
FROM `${source_database}`.`${source_table}`
WHERE
  `account_id` <= CAST(@sw_high_1 AS UNSIGNED)
  AND (
    `account_id` < CAST(@sw_high_1 AS UNSIGNED)
    OR (
      `account_id` = CAST(@sw_high_1 AS UNSIGNED) AND `no` <= CAST(@sw_high_2 AS SIGNED)
    )
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  CRC32(CAST(CAST(`account_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(CAST(`account_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `no`,
  `account_id`,
  `text`
FROM `${source_database}`.`${source_table}`
WHERE
  `account_id` >= CAST(@sw_low_1 AS UNSIGNED)
  AND (
    `account_id` > CAST(@sw_low_1 AS UNSIGNED)
    OR (
      `account_id` = CAST(@sw_low_1 AS UNSIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
    )
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  CRC32(CAST(CAST(`account_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(CAST(`account_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `no`,
  `account_id`,
  `text`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `account_id` >= CAST(@sw_low_1 AS UNSIGNED)
    AND (
      `account_id` > CAST(@sw_low_1 AS UNSIGNED)
      OR (
        `account_id` = CAST(@sw_low_1 AS UNSIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
      )
    )
  )
  AND (
    `account_id` <= CAST(@sw_high_1 AS UNSIGNED)
    AND (
      `account_id` < CAST(@sw_high_1 AS UNSIGNED)
      OR (
        `account_id` = CAST(@sw_high_1 AS UNSIGNED) AND `no` <= CAST(@sw_high_2 AS SIGNED)
      )
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `no`,
  `account_id`,
  `text`
FROM `${source_database}`.`${source_table}`
WHERE
  (`account_id`, `no`) IN (`${keys}`);
