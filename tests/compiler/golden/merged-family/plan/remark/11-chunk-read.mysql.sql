-- remark: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `id`,
  `order_code`,
  `number`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `id`,
  `order_code`,
  `number`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` <= CAST(@sw_high_1 AS SIGNED);

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `id`,
  `order_code`,
  `number`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` > CAST(@sw_low_1 AS SIGNED);

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `id`,
  `order_code`,
  `number`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `id` > CAST(@sw_low_1 AS SIGNED)
  ) AND (
    `id` <= CAST(@sw_high_1 AS SIGNED)
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `id`,
  `order_code`,
  `number`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` IN (`${keys}`);
