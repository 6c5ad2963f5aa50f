-- line: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `order_code`,
  `number`,
  `note`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `order_code`,
  `number`,
  `note`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_code` <= (
    CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
  AND (
    `order_code` < (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
    OR (
      `order_code` = (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      AND `number` <= CAST(@sw_high_2 AS SIGNED)
    )
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `order_code`,
  `number`,
  `note`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_code` >= (
    CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
  )
  AND (
    `order_code` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
    OR (
      `order_code` = (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      AND `number` > CAST(@sw_low_2 AS SIGNED)
    )
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `order_code`,
  `number`,
  `note`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `order_code` >= (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
    AND (
      `order_code` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      OR (
        `order_code` = (
          CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
        )
        AND `number` > CAST(@sw_low_2 AS SIGNED)
      )
    )
  )
  AND (
    `order_code` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    )
    AND (
      `order_code` < (
        CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
      )
      OR (
        `order_code` = (
          CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
        )
        AND `number` <= CAST(@sw_high_2 AS SIGNED)
      )
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `order_code`,
  `number`,
  `note`
FROM `${source_database}`.`${source_table}`
WHERE
  (`order_code`, `number`) IN (`${keys}`);
