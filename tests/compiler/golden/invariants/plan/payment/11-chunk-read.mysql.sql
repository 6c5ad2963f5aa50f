-- payment: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) % 4 AS `sw_shard`,
  (
    CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) DIV 4
  ) % 4 AS `sw_part`,
  `id`,
  `payer`,
  `order_id`,
  HEX(`token`),
  `memo`,
  `amount`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) % 4 AS `sw_shard`,
  (
    CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) DIV 4
  ) % 4 AS `sw_part`,
  `id`,
  `payer`,
  `order_id`,
  HEX(`token`),
  `memo`,
  `amount`
FROM `${source_database}`.`${source_table}`
WHERE
  `payer` <= CAST(@sw_high_1 AS SIGNED)
  AND (
    `payer` < CAST(@sw_high_1 AS SIGNED)
    OR (
      `payer` = CAST(@sw_high_1 AS SIGNED) AND `id` <= CAST(@sw_high_2 AS SIGNED)
    )
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) % 4 AS `sw_shard`,
  (
    CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) DIV 4
  ) % 4 AS `sw_part`,
  `id`,
  `payer`,
  `order_id`,
  HEX(`token`),
  `memo`,
  `amount`
FROM `${source_database}`.`${source_table}`
WHERE
  `payer` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `payer` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `payer` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
    )
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) % 4 AS `sw_shard`,
  (
    CRC32(CAST(`payer` AS CHAR CHARACTER SET utf8mb4)) DIV 4
  ) % 4 AS `sw_part`,
  `id`,
  `payer`,
  `order_id`,
  HEX(`token`),
  `memo`,
  `amount`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `payer` >= CAST(@sw_low_1 AS SIGNED)
    AND (
      `payer` > CAST(@sw_low_1 AS SIGNED)
      OR (
        `payer` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
      )
    )
  )
  AND (
    `payer` <= CAST(@sw_high_1 AS SIGNED)
    AND (
      `payer` < CAST(@sw_high_1 AS SIGNED)
      OR (
        `payer` = CAST(@sw_high_1 AS SIGNED) AND `id` <= CAST(@sw_high_2 AS SIGNED)
      )
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `id`,
  `payer`,
  `order_id`,
  HEX(`token`),
  `memo`,
  `amount`
FROM `${source_database}`.`${source_table}`
WHERE
  (`payer`, `id`) IN (`${keys}`);
