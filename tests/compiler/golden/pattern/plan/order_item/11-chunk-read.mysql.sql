-- order_item: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  (
    (
      `order_id` % 4
    ) + 4
  ) % 4 AS `sw_shard`,
  (
    (
      (
        `order_id` % 8
      ) + 8
    ) % 8
  ) DIV 4 AS `sw_part`,
  `order_id`,
  `line_no`,
  `sku`,
  `kind`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  (
    (
      `order_id` % 4
    ) + 4
  ) % 4 AS `sw_shard`,
  (
    (
      (
        `order_id` % 8
      ) + 8
    ) % 8
  ) DIV 4 AS `sw_part`,
  `order_id`,
  `line_no`,
  `sku`,
  `kind`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_id` <= CAST(@sw_high_1 AS SIGNED)
  AND (
    `order_id` < CAST(@sw_high_1 AS SIGNED)
    OR (
      `order_id` = CAST(@sw_high_1 AS SIGNED) AND `line_no` <= CAST(@sw_high_2 AS UNSIGNED)
    )
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  (
    (
      `order_id` % 4
    ) + 4
  ) % 4 AS `sw_shard`,
  (
    (
      (
        `order_id` % 8
      ) + 8
    ) % 8
  ) DIV 4 AS `sw_part`,
  `order_id`,
  `line_no`,
  `sku`,
  `kind`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_id` >= CAST(@sw_low_1 AS SIGNED)
  AND (
    `order_id` > CAST(@sw_low_1 AS SIGNED)
    OR (
      `order_id` = CAST(@sw_low_1 AS SIGNED) AND `line_no` > CAST(@sw_low_2 AS UNSIGNED)
    )
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  (
    (
      `order_id` % 4
    ) + 4
  ) % 4 AS `sw_shard`,
  (
    (
      (
        `order_id` % 8
      ) + 8
    ) % 8
  ) DIV 4 AS `sw_part`,
  `order_id`,
  `line_no`,
  `sku`,
  `kind`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `order_id` >= CAST(@sw_low_1 AS SIGNED)
    AND (
      `order_id` > CAST(@sw_low_1 AS SIGNED)
      OR (
        `order_id` = CAST(@sw_low_1 AS SIGNED) AND `line_no` > CAST(@sw_low_2 AS UNSIGNED)
      )
    )
  )
  AND (
    `order_id` <= CAST(@sw_high_1 AS SIGNED)
    AND (
      `order_id` < CAST(@sw_high_1 AS SIGNED)
      OR (
        `order_id` = CAST(@sw_high_1 AS SIGNED) AND `line_no` <= CAST(@sw_high_2 AS UNSIGNED)
      )
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `order_id`,
  `line_no`,
  `sku`,
  `kind`
FROM `${source_database}`.`${source_table}`
WHERE
  (`order_id`, `line_no`) IN (`${keys}`);
