-- order_info: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `shop`,
  `order_no`,
  `total`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `shop`,
  `order_no`,
  `total`
FROM `${source_database}`.`${source_table}`
WHERE
  `shop` <= (
    CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  )
  AND (
    `shop` < (
      CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
    OR (
      `shop` = (
        CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
      AND `order_no` <= CAST(@sw_high_2 AS UNSIGNED)
    )
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `shop`,
  `order_no`,
  `total`
FROM `${source_database}`.`${source_table}`
WHERE
  `shop` >= (
    CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  )
  AND (
    `shop` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
    OR (
      `shop` = (
        CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
      AND `order_no` > CAST(@sw_low_2 AS UNSIGNED)
    )
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `shop`,
  `order_no`,
  `total`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `shop` >= (
      CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
    AND (
      `shop` > (
        CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
      OR (
        `shop` = (
          CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
        )
        AND `order_no` > CAST(@sw_low_2 AS UNSIGNED)
      )
    )
  )
  AND (
    `shop` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
    AND (
      `shop` < (
        CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
      )
      OR (
        `shop` = (
          CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
        )
        AND `order_no` <= CAST(@sw_high_2 AS UNSIGNED)
      )
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `shop`,
  `order_no`,
  `total`
FROM `${source_database}`.`${source_table}`
WHERE
  (`shop`, `order_no`) IN (`${keys}`);
