-- users: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `user_id`,
  `name`
FROM `${source_database}`.`${source_table}`
WHERE
  `user_id` IN (`${keys}`);
