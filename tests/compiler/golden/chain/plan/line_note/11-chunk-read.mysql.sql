-- line_note: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  `note_id`,
  `line`,
  `text`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  `note_id`,
  `line`,
  `text`
FROM `${source_database}`.`${source_table}`
WHERE
  `note_id` <= CAST(@sw_high_1 AS SIGNED);

-- statement: after -- Chunk with bounds 'after'.
SELECT
  `note_id`,
  `line`,
  `text`
FROM `${source_database}`.`${source_table}`
WHERE
  `note_id` > CAST(@sw_low_1 AS SIGNED);

-- statement: between -- Chunk with bounds 'between'.
SELECT
  `note_id`,
  `line`,
  `text`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `note_id` > CAST(@sw_low_1 AS SIGNED)
  ) AND (
    `note_id` <= CAST(@sw_high_1 AS SIGNED)
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  `note_id`,
  `line`,
  `text`
FROM `${source_database}`.`${source_table}`
WHERE
  `note_id` IN (`${keys}`);
