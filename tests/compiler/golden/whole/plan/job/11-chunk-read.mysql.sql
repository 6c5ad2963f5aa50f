-- job: 11-chunk-read

-- statement: all -- Chunk with bounds 'all'.
SELECT
  1 AS `sw_shard`,
  0 AS `sw_part`,
  HEX(`id`),
  `name`,
  `runs_at`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;

-- statement: up_to -- Chunk with bounds 'up_to'.
SELECT
  1 AS `sw_shard`,
  0 AS `sw_part`,
  HEX(`id`),
  `name`,
  `runs_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `name` <= (
    CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  );

-- statement: after -- Chunk with bounds 'after'.
SELECT
  1 AS `sw_shard`,
  0 AS `sw_part`,
  HEX(`id`),
  `name`,
  `runs_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `name` > (
    CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
  );

-- statement: between -- Chunk with bounds 'between'.
SELECT
  1 AS `sw_shard`,
  0 AS `sw_part`,
  HEX(`id`),
  `name`,
  `runs_at`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    `name` > (
      CAST(@sw_low_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
  )
  AND (
    `name` <= (
      CAST(@sw_high_1 AS CHAR CHARACTER SET ascii) COLLATE ascii_bin
    )
  );

-- statement: by_keys -- Rows that are read again; decode applies the row filter.
SELECT
  HEX(`id`),
  `name`,
  `runs_at`
FROM `${source_database}`.`${source_table}`
WHERE
  `name` IN (`${keys}`);
