-- line_note: 11-chunk-read

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `note_id`,
  `line`,
  `text`
FROM `${source_database}`.`${source_table}`
WHERE
  `note_id` IN (`${keys}`);
