-- _sw_place_order_info: 11-chunk-read

-- statement: first -- Where the parents are: the first ones by key.
SELECT
  `shop`,
  `order_no`,
  TRIM(TRAILING ' ' FROM `shop`)
FROM `${source_database}`.`${source_table}`
WHERE
  (
    TRUE
  ) AND (
    NOT (
      `shop` IS NULL
    )
  )
ORDER BY
  `shop`,
  `order_no`
LIMIT 50000;

-- statement: next -- The ones after @sw_low.
SELECT
  `shop`,
  `order_no`,
  TRIM(TRAILING ' ' FROM `shop`)
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
    NOT (
      `shop` IS NULL
    )
  )
ORDER BY
  `shop`,
  `order_no`
LIMIT 50000;
