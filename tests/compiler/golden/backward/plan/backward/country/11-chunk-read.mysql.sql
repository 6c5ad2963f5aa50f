-- country: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `code`,
  `name`
FROM `${source_database}`.`${source_table}`
WHERE
  `code` IN (`${keys}`);
