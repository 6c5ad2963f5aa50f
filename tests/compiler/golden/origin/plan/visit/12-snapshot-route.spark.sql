-- visit: 12-snapshot-route

-- statement: route -- Where each row of a chunk belongs, and its values as the target has them.
WITH `images` AS (
  SELECT
    `source_table`,
    `chunk`,
    `row`,
    STRUCT(`seen`[0] AS `customer_id`, `seen`[1] AS `no`, `seen`[2] AS `seen`) AS `after`
  FROM `chunk_rows`
)
SELECT
  'visit' AS `table`,
  `source_table`,
  `chunk`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  ARRAY(`after`.`customer_id`, `after`.`no`, `after`.`seen`, `source_table`) AS `row`
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
