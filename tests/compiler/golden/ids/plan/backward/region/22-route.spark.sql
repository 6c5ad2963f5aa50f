-- region: 22-route

-- statement: route -- Where each change goes: upsert at the row's place, move_out at the places it left, delete at all places.
SELECT
  'region' AS `table`,
  `source_table`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  CASE WHEN `op` = 'D' THEN 'delete' WHEN `place` = `after_place` THEN 'upsert' ELSE 'move_out' END AS `action`,
  `op`,
  `key`,
  `position`,
  `committed_at`,
  IF(`op` <> 'D' AND `place` = `after_place`, ARRAY(`after`.`id`, `after`.`name`), NULL) AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM `merged`
LATERAL VIEW
EXPLODE(`places`) places AS `place`;

-- statement: packed -- Events in one form for all tables, for the merge of several tables together.
WITH `images` AS (
  SELECT
    `table` AS `source_table`,
    `op`,
    STRUCT(`epoch` AS `epoch`, `file` AS `file`, `offset` AS `offset`, `row` AS `row`) AS `position`,
    `committed_at`,
    `before`,
    `after`
  FROM `changes`
  WHERE
    `table` IN (`${sources}`)
)
SELECT
  SUBSTRING_INDEX(`source_table`, '.', -1) AS `table`,
  `source_table`,
  `op`,
  IF(`before` IS NULL, NULL, ARRAY(`before`[0])) AS `before_key`,
  IF(`after` IS NULL, NULL, ARRAY(`after`[0])) AS `after_key`,
  `position`,
  `after` AS `row`,
  IF(`before` IS NULL, NULL, STRUCT(0 AS `shard`, 0 AS `part`)) AS `before_place`,
  IF(`after` IS NULL, NULL, STRUCT(0 AS `shard`, 0 AS `part`)) AS `after_place`,
  CAST(NULL AS ARRAY<STRUCT<`shard`: INT, `part`: INT>>) AS `everywhere`
FROM `images`;
