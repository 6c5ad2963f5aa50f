-- greeting: 11-chunk-read

-- statement: whole -- The whole table, read where the stream begins: no event is counted twice.
SELECT
  0 AS `sw_shard`,
  0 AS `sw_part`,
  `word` AS `word`
FROM `${source_database}`.`${source_table}`
WHERE
  TRUE;
