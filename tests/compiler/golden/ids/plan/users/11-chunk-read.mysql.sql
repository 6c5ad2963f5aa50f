-- users: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `id`,
  `name`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `id`,
  `name`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` <= CAST(@sw_high_1 AS UNSIGNED);

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `id`,
  `name`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` > CAST(@sw_low_1 AS UNSIGNED);

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `id`,
  `name`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `id` > CAST(@sw_low_1 AS UNSIGNED)
  ) AND (
    `id` <= CAST(@sw_high_1 AS UNSIGNED)
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `id`,
  `name`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` IN (`${keys}`);
