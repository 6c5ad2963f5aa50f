-- region: 12-snapshot-route

-- statement: route -- Where each row of a chunk belongs.
WITH `images` AS (
  SELECT
    `source_table`,
    `chunk`,
    `row`,
    STRUCT(NULL AS `nothing`) AS `after`
  FROM `chunk_rows`
)
SELECT
  'region' AS `table`,
  `source_table`,
  `chunk`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  `row`
FROM `images`
LATERAL VIEW
EXPLODE(TRANSFORM(SEQUENCE(0, 1), `shard` -> STRUCT(`shard` AS `shard`, 0 AS `part`))) places AS `place`;
