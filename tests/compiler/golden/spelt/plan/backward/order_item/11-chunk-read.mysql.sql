-- order_item: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `item`,
  `shop`,
  `order_no`,
  `note`
FROM `${source_database}`.`${source_table}`
WHERE
  `item` IN (`${keys}`);
