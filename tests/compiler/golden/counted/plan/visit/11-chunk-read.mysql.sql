-- visit: 11-chunk-read

-- statement: whole -- The whole table, read where the stream begins: no event is counted twice.
SELECT
  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 AS `sw_shard`,
  (
    CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
  ) % 2 AS `sw_part`,
  `user_id` AS `user_id`,
  `page` AS `path`,
  `at` AS `at`,
  CAST(`seconds` AS DOUBLE) AS `seconds`,
  HEX(`ip`) AS `ip`,
  CAST(`user_id` % 10 AS SIGNED) AS `tenth`
FROM `${source_database}`.`${source_table}`
WHERE
  (
    TRUE
  ) AND (
    CAST(CAST(`page` AS CHAR CHARACTER SET utf8mb4) AS BINARY) <> CAST('health' AS BINARY)
  );
