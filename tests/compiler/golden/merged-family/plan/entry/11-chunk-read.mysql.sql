-- entry: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `id`,
  `account_id`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `of_shop`
) AS `sw_origin`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `id`,
  `account_id`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `of_shop`
) AS `sw_origin`
WHERE
  `id` <= CAST(@sw_high_1 AS SIGNED)
  AND (
    `id` < CAST(@sw_high_1 AS SIGNED)
    OR (
      `id` = CAST(@sw_high_1 AS SIGNED)
      AND `of_shop` <= (
        CAST(@sw_high_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `id`,
  `account_id`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `of_shop`
) AS `sw_origin`
WHERE
  `id` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `id` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `id` = CAST(@sw_low_1 AS SIGNED)
      AND `of_shop` > (
        CAST(@sw_low_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `id`,
  `account_id`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `of_shop`
) AS `sw_origin`
WHERE
  (
    `id` >= CAST(@sw_low_1 AS SIGNED)
    AND (
      `id` > CAST(@sw_low_1 AS SIGNED)
      OR (
        `id` = CAST(@sw_low_1 AS SIGNED)
        AND `of_shop` > (
          CAST(@sw_low_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
        )
      )
    )
  )
  AND (
    `id` <= CAST(@sw_high_1 AS SIGNED)
    AND (
      `id` < CAST(@sw_high_1 AS SIGNED)
      OR (
        `id` = CAST(@sw_high_1 AS SIGNED)
        AND `of_shop` <= (
          CAST(@sw_high_2 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
        )
      )
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `id`,
  `account_id`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}' AS `of_shop`
) AS `sw_origin`
WHERE
  (`id`, `of_shop`) IN (`${keys}`);
