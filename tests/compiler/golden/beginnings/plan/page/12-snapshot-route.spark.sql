-- page: 12-snapshot-route

-- statement: route -- Where each row of a chunk belongs, and its values as the target has them.
WITH `images` AS (
  SELECT
    `source_table`,
    `chunk`,
    `row`,
    STRUCT(
      `seen`[0] AS `id`,
      `seen`[1] AS `shop`,
      `seen`[2] AS `url`,
      `seen`[3] AS `code`,
      `seen`[4] AS `digest`,
      `seen`[5] AS `mail`,
      `seen`[6] AS `title`,
      `seen`[7] AS `doc`
    ) AS `after`
  FROM `chunk_rows`
)
SELECT
  'page' AS `table`,
  `source_table`,
  `chunk`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  ARRAY(
    `after`.`id`,
    `after`.`shop`,
    `after`.`url`,
    `after`.`code`,
    `after`.`digest`,
    SHA2(CAST(`after`.`mail` AS BINARY), 256),
    `after`.`title`,
    `after`.`doc`
  ) AS `row`
FROM `images`
LATERAL VIEW
EXPLODE(ARRAY(STRUCT(CAST(CAST(`after`.`shop` AS BIGINT) % 2 AS INT) AS `shard`, CAST(0 AS INT) AS `part`))) places AS `place`;
