-- order_info: 12-snapshot-route

-- statement: route -- Where each row of a chunk belongs.
WITH `images` AS (
  SELECT
    `source_table`,
    `chunk`,
    `row`,
    STRUCT(
      `row`[0] AS `order_no`,
      `row`[1] AS `buyer_id`,
      `row`[2] AS `invoice`,
      `row`[3] AS `amt`,
      `row`[4] AS `weight`,
      `row`[5] AS `signature`,
      `row`[6] AS `updated_at`
    ) AS `after`
  FROM `chunk_rows`
)
SELECT
  'order_info' AS `table`,
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
      CAST(CRC32(CAST(CAST(CAST(`after`.`buyer_id` AS DECIMAL(20, 0)) AS STRING) AS BINARY)) % 16 AS INT) AS `shard`,
      CAST((
        CRC32(CAST(CAST(CAST(`after`.`buyer_id` AS DECIMAL(20, 0)) AS STRING) AS BINARY)) DIV 16
      ) % 16 AS INT) AS `part`
    )
  )
) places AS `place`;
