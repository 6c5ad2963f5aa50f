-- account: 12-snapshot-route

-- statement: route -- Where each row of a chunk belongs, and its values as the target has them.
WITH `images` AS (
  SELECT
    `source_table`,
    `chunk`,
    `row`,
    STRUCT(
      `seen`[0] AS `id`,
      `seen`[1] AS `email`,
      `seen`[2] AS `kind`,
      `seen`[3] AS `limit_amount`,
      `seen`[4] AS `born`,
      `seen`[5] AS `phone`,
      `seen`[6] AS `active`
    ) AS `after`
  FROM `chunk_rows`
)
SELECT
  'account' AS `table`,
  `source_table`,
  `chunk`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  ARRAY(
    `after`.`id`,
    `after`.`email`,
    `after`.`kind`,
    CONCAT(`after`.`limit_amount`, '00'),
    CONCAT(`after`.`born`, ' 00:00:00'),
    IF(
      LENGTH(`after`.`phone`) > 2,
      CONCAT(REPEAT('*', LENGTH(`after`.`phone`) - 2), RIGHT(`after`.`phone`, 2)),
      REPEAT('*', LENGTH(`after`.`phone`))
    ),
    `after`.`active`
  ) AS `row`
FROM `images`
LATERAL VIEW
EXPLODE(
  ARRAY(
    STRUCT(
      CAST(CRC32(CAST(CAST(CAST(`after`.`id` AS BIGINT) AS STRING) AS BINARY)) % 2 AS INT) AS `shard`,
      CAST((
        CRC32(CAST(CAST(CAST(`after`.`id` AS BIGINT) AS STRING) AS BINARY)) DIV 2
      ) % 2 AS INT) AS `part`
    )
  )
) places AS `place`;
