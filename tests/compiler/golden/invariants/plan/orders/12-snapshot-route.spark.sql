-- orders: 12-snapshot-route

-- statement: route -- Where each row of a chunk belongs, and its values as the target has them.
WITH `images` AS (
  SELECT
    `source_table`,
    `chunk`,
    `row`,
    STRUCT(
      `seen`[0] AS `id`,
      `seen`[1] AS `user_id`,
      `seen`[2] AS `status`,
      `seen`[3] AS `amount`,
      `seen`[4] AS `region`,
      `seen`[5] AS `made`
    ) AS `after`
  FROM `chunk_rows`
)
SELECT
  'orders' AS `table`,
  `source_table`,
  `chunk`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  ARRAY(`after`.`id`, `after`.`user_id`, `after`.`status`, CONCAT(`after`.`amount`, '00'), `after`.`region`, `after`.`made`) AS `row`
FROM `images`
LATERAL VIEW
EXPLODE(
  ARRAY(
    STRUCT(
      CAST(CRC32(CAST(CAST(CAST(`after`.`user_id` AS BIGINT) AS STRING) AS BINARY)) % 4 AS INT) AS `shard`,
      CAST((
        CRC32(CAST(CAST(CAST(`after`.`user_id` AS BIGINT) AS STRING) AS BINARY)) DIV 4
      ) % 4 AS INT) AS `part`
    )
  )
) places AS `place`;
