-- visit: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `id`,
  `seen_at`,
  `page`
FROM `${source_database}`.`${source_table}`
WHERE
  (`id`, `seen_at`) IN (`${keys}`);
