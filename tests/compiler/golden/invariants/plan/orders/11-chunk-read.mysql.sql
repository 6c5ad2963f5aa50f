-- orders: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `id`,
  `user_id`,
  `status`,
  `amount`,
  `region`,
  `made`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    TRUE
  ) AND (
    `amount` >= 0
  );

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `id`,
  `user_id`,
  `status`,
  `amount`,
  `region`,
  `made`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `user_id` <= CAST(@sw_high_1 AS SIGNED)
    AND (
      `user_id` < CAST(@sw_high_1 AS SIGNED)
      OR (
        `user_id` = CAST(@sw_high_1 AS SIGNED) AND `id` <= CAST(@sw_high_2 AS SIGNED)
      )
    )
  )
  AND (
    `amount` >= 0
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `id`,
  `user_id`,
  `status`,
  `amount`,
  `region`,
  `made`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `user_id` >= CAST(@sw_low_1 AS SIGNED)
    AND (
      `user_id` > CAST(@sw_low_1 AS SIGNED)
      OR (
        `user_id` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
      )
    )
  )
  AND (
    `amount` >= 0
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `id`,
  `user_id`,
  `status`,
  `amount`,
  `region`,
  `made`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    (
      `user_id` >= CAST(@sw_low_1 AS SIGNED)
      AND (
        `user_id` > CAST(@sw_low_1 AS SIGNED)
        OR (
          `user_id` = CAST(@sw_low_1 AS SIGNED) AND `id` > CAST(@sw_low_2 AS SIGNED)
        )
      )
    )
    AND (
      `user_id` <= CAST(@sw_high_1 AS SIGNED)
      AND (
        `user_id` < CAST(@sw_high_1 AS SIGNED)
        OR (
          `user_id` = CAST(@sw_high_1 AS SIGNED) AND `id` <= CAST(@sw_high_2 AS SIGNED)
        )
      )
    )
  )
  AND (
    `amount` >= 0
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `id`,
  `user_id`,
  `status`,
  `amount`,
  `region`,
  `made`
FROM `${source_database}`.`${source_table}`
WHERE
  (`user_id`, `id`) IN (`${keys}`);
