-- message: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `account_id`,
  `no`,
  `body`
FROM `${source_database}`.`${source_table}`
WHERE
  (`account_id`, `no`) IN (`${keys}`);
