-- account: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `id`,
  `email`,
  `kind`,
  `limit_amount`,
  `born`,
  `phone`,
  `active`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    TRUE
  ) AND (
    `active` = 1
  );

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `id`,
  `email`,
  `kind`,
  `limit_amount`,
  `born`,
  `phone`,
  `active`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `id` <= CAST(@sw_high_1 AS UNSIGNED)
  ) AND (
    `active` = 1
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `id`,
  `email`,
  `kind`,
  `limit_amount`,
  `born`,
  `phone`,
  `active`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `id` > CAST(@sw_low_1 AS UNSIGNED)
  ) AND (
    `active` = 1
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `id`,
  `email`,
  `kind`,
  `limit_amount`,
  `born`,
  `phone`,
  `active`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    (
      `id` > CAST(@sw_low_1 AS UNSIGNED)
    ) AND (
      `id` <= CAST(@sw_high_1 AS UNSIGNED)
    )
  )
  AND (
    `active` = 1
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `id`,
  `email`,
  `kind`,
  `limit_amount`,
  `born`,
  `phone`,
  `active`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` IN (`${keys}`);
