-- invoice: 12-snapshot-route

-- statement: route -- Where each row of a chunk belongs, and its values as the target has them.
WITH `images` AS (
  SELECT
    `source_table`,
    `chunk`,
    `row`,
    STRUCT(`seen`[0] AS `id`, `seen`[1] AS `customer_id`, `seen`[2] AS `number`, `seen`[3] AS `token`, `seen`[4] AS `total`) AS `after`
  FROM `chunk_rows`
)
SELECT
  'invoice' AS `table`,
  `source_table`,
  `chunk`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  ARRAY(
    `after`.`id`,
    `after`.`customer_id`,
    `after`.`number`,
    `after`.`token`,
    `after`.`total`,
    SUBSTRING_INDEX(`source_table`, '.', 1)
  ) AS `row`
FROM `images`
LATERAL VIEW
EXPLODE(
  ARRAY(
    STRUCT(
      CAST((
        (
          CAST(`after`.`customer_id` AS BIGINT) % 2
        ) + 2
      ) % 2 AS INT) AS `shard`,
      CAST((
        (
          (
            CAST(`after`.`customer_id` AS BIGINT) DIV 2
          ) % 2
        ) + 2
      ) % 2 AS INT) AS `part`
    )
  )
) places AS `place`;
