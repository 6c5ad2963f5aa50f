-- order_note: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `note_id`,
  `shop`,
  `no`,
  `text`,
  `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `note_id`,
  `shop`,
  `no`,
  `text`,
  `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `note_id` <= (
    CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `note_id`,
  `shop`,
  `no`,
  `text`,
  `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `note_id` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `note_id`,
  `shop`,
  `no`,
  `text`,
  `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `note_id` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
    )
  )
  AND (
    `note_id` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `note_id`,
  `shop`,
  `no`,
  `text`,
  `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `note_id` IN (`${keys}`);
