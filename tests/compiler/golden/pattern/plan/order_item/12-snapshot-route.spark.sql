-- order_item: 12-snapshot-route

-- statement: route -- Where each row of a chunk belongs. The dry run and spec tests ask this; a run takes it from 11-chunk-read.
WITH `images` AS (
  SELECT
    `source_table`,
    `chunk`,
    `row`,
    STRUCT(`seen`[0] AS `order_id`) AS `after`
  FROM `chunk_rows`
)
SELECT
  'order_item' AS `table`,
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
      CAST((
        (
          CAST(`after`.`order_id` AS BIGINT) % 4
        ) + 4
      ) % 4 AS INT) AS `shard`,
      CAST((
        (
          (
            CAST(`after`.`order_id` AS BIGINT) % 8
          ) + 8
        ) % 8
      ) DIV 4 AS INT) AS `part`
    )
  )
) places AS `place`;
