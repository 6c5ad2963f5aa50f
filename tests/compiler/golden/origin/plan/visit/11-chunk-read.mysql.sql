-- visit: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `customer_id`,
  `no`,
  `seen`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}.${source_table}' AS `crm`
) AS `sw_origin`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `customer_id`,
  `no`,
  `seen`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}.${source_table}' AS `crm`
) AS `sw_origin`
WHERE
  `customer_id` <= CAST(@sw_high_1 AS SIGNED)
  AND (
    `customer_id` < CAST(@sw_high_1 AS SIGNED)
    OR (
      `customer_id` = CAST(@sw_high_1 AS SIGNED) AND `no` < CAST(@sw_high_2 AS SIGNED)
    )
    OR (
      `customer_id` = CAST(@sw_high_1 AS SIGNED)
      AND `no` = CAST(@sw_high_2 AS SIGNED)
      AND `crm` <= (
        CAST(@sw_high_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `customer_id`,
  `no`,
  `seen`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}.${source_table}' AS `crm`
) AS `sw_origin`
WHERE
  `customer_id` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `customer_id` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `customer_id` = CAST(@sw_low_1 AS SIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
    )
    OR (
      `customer_id` = CAST(@sw_low_1 AS SIGNED)
      AND `no` = CAST(@sw_low_2 AS SIGNED)
      AND `crm` > (
        CAST(@sw_low_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
      )
    )
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `customer_id`,
  `no`,
  `seen`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}.${source_table}' AS `crm`
) AS `sw_origin`
WHERE
  (
    `customer_id` >= CAST(@sw_low_1 AS SIGNED)
    AND (
      `customer_id` > CAST(@sw_low_1 AS SIGNED)
      OR (
        `customer_id` = CAST(@sw_low_1 AS SIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
      )
      OR (
        `customer_id` = CAST(@sw_low_1 AS SIGNED)
        AND `no` = CAST(@sw_low_2 AS SIGNED)
        AND `crm` > (
          CAST(@sw_low_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
        )
      )
    )
  )
  AND (
    `customer_id` <= CAST(@sw_high_1 AS SIGNED)
    AND (
      `customer_id` < CAST(@sw_high_1 AS SIGNED)
      OR (
        `customer_id` = CAST(@sw_high_1 AS SIGNED) AND `no` < CAST(@sw_high_2 AS SIGNED)
      )
      OR (
        `customer_id` = CAST(@sw_high_1 AS SIGNED)
        AND `no` = CAST(@sw_high_2 AS SIGNED)
        AND `crm` <= (
          CAST(@sw_high_3 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
        )
      )
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `customer_id`,
  `no`,
  `seen`
FROM `${source_database}`.`${source_table}`
CROSS JOIN (
  SELECT
    '${source_database}.${source_table}' AS `crm`
) AS `sw_origin`
WHERE
  (`customer_id`, `no`, `crm`) IN (`${keys}`);
