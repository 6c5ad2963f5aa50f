-- job: 12-snapshot-route

-- statement: route -- Where each row of a chunk belongs. The dry run and spec tests ask this; a run takes it from 11-chunk-read.
WITH `images` AS (
  SELECT
    `source_table`,
    `chunk`,
    `row`,
    STRUCT(NULL AS `nothing`) AS `after`
  FROM `chunk_rows`
)
SELECT
  'job' AS `table`,
  `source_table`,
  `chunk`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  `row`
FROM `images`
LATERAL VIEW
EXPLODE(ARRAY(STRUCT(1 AS `shard`, 0 AS `part`))) places AS `place`;
