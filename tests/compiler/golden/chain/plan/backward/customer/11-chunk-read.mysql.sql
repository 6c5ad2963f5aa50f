-- customer: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `code`,
  `user_id`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` IN (`${keys}`);
