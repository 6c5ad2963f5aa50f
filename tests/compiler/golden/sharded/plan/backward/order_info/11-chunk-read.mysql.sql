-- order_info: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `order_no`,
  `buyer_id`,
  `invoice`,
  `amount`,
  CAST(`weight` AS DOUBLE),
  HEX(`signature`),
  `updated_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `order_no` IN (`${keys}`);
