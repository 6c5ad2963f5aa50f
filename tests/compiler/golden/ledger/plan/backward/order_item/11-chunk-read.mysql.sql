-- order_item: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `item_id`,
  `shop_code`,
  `order_number`,
  `line`,
  HEX(`payload`)
FROM `${source_database}`.`${source_table}`
WHERE
  `item_id` IN (`${keys}`);
