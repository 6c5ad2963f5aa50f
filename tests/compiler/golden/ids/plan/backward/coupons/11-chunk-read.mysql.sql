-- coupons: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `id`,
  `code`
FROM `${source_database}`.`${source_table}`
WHERE
  `id` IN (`${keys}`);
