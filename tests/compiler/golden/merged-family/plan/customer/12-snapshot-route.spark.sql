-- customer: 12-snapshot-route

-- statement: route -- Where each row of a chunk belongs. The dry run and spec tests ask this; a run takes it from 11-chunk-read.
WITH `images` AS (
  SELECT
    `source_table`,
    `chunk`,
    `row`,
    STRUCT(`seen`[0] AS `user_id`) AS `after`
  FROM `chunk_rows`
)
SELECT
  'customer' AS `table`,
  `source_table`,
  `chunk`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  `row`
FROM `images`
LATERAL VIEW
EXPLODE(
  ARRAY(
    STRUCT(
      CAST(CRC32(CAST(CAST(CAST(`after`.`user_id` AS BIGINT) AS STRING) AS BINARY)) % 3 AS INT) AS `shard`,
      CAST((
        CRC32(CAST(CAST(CAST(`after`.`user_id` AS BIGINT) AS STRING) AS BINARY)) DIV 3
      ) % 2 AS INT) AS `part`
    )
  )
) places AS `place`;
