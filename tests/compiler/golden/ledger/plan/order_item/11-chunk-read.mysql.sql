-- order_item: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `item_id`,
  `shop_code`,
  `order_no`,
  `line`,
  HEX(`payload`)
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `item_id`,
  `shop_code`,
  `order_no`,
  `line`,
  HEX(`payload`)
FROM `${source_database}`.`${source_table}`
WHERE
  `item_id` <= CAST(@sw_high_1 AS SIGNED);

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `item_id`,
  `shop_code`,
  `order_no`,
  `line`,
  HEX(`payload`)
FROM `${source_database}`.`${source_table}`
WHERE
  `item_id` > CAST(@sw_low_1 AS SIGNED);

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `item_id`,
  `shop_code`,
  `order_no`,
  `line`,
  HEX(`payload`)
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `item_id` > CAST(@sw_low_1 AS SIGNED)
  ) AND (
    `item_id` <= CAST(@sw_high_1 AS SIGNED)
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `item_id`,
  `shop_code`,
  `order_no`,
  `line`,
  HEX(`payload`)
FROM `${source_database}`.`${source_table}`
WHERE
  `item_id` IN (`${keys}`);
