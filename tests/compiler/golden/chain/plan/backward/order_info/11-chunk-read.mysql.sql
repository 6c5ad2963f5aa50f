-- order_info: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `shop_code`,
  `order_no`,
  `total`
FROM `${source_database}`.`${source_table}`
WHERE
  (`shop_code`, `order_no`) IN (`${keys}`);
