-- customer: 22-route

-- statement: route -- Where each change goes: upsert at the row's place, move_out at the places it left, delete at all places.
SELECT
  'customer' AS `table`,
  `source_table`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  CASE WHEN `op` = 'D' THEN 'delete' WHEN `place` = `after_place` THEN 'upsert' ELSE 'move_out' END AS `action`,
  `op`,
  `key`,
  `position`,
  `committed_at`,
  IF(`op` <> 'D' AND `place` = `after_place`, ARRAY(`after`.`id`, `after`.`user_id`), NULL) AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM `merged`
LATERAL VIEW
EXPLODE(`places`) places AS `place`;

-- statement: packed -- Events in one form for all tables, for the merge of several tables together (29-batch).
SELECT
  'customer' AS `table`,
  `source_table`,
  `op`,
  `key`,
  `position`,
  IF(`after` IS NULL, NULL, ARRAY(`after`.`id`, `after`.`user_id`)) AS `row`,
  `before_place`,
  `after_place`,
  CAST(NULL AS ARRAY<STRUCT<`shard`: INT, `part`: INT>>) AS `everywhere`,
  TRUE AS `remembers`
FROM `decoded`;
