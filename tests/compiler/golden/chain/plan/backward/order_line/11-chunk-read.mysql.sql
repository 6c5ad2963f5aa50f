-- order_line: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `line`,
  `shop`,
  `order_no`,
  `cancelled`
FROM `${source_database}`.`${source_table}`
WHERE
  `line` IN (`${keys}`);
