-- account: 12-snapshot-route

-- statement: route -- Where each row of a chunk belongs, and its values as the target has them.
WITH `images` AS (
  SELECT
    `source_table`,
    `chunk`,
    `row`,
    STRUCT(`seen`[0] AS `id`, `seen`[1] AS `user_id`) AS `after`
  FROM `chunk_rows`
)
SELECT
  'account' AS `table`,
  `source_table`,
  `chunk`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  ARRAY(`after`.`id`, `after`.`user_id`, SUBSTRING_INDEX(`source_table`, '.', 1)) AS `row`
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
