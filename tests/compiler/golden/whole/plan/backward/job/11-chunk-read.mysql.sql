-- job: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  HEX(`id`),
  `name`,
  `runs_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `name` IN (`${keys}`);
