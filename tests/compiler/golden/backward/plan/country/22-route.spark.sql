-- country: 22-route

-- statement: route -- Where each change goes: upsert at the row's place, move_out at the places it left, delete at all places.
SELECT
  'country' AS `table`,
  `source_table`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  CASE WHEN `op` = 'D' THEN 'delete' WHEN TRUE THEN 'upsert' ELSE 'move_out' END AS `action`,
  `op`,
  `key`,
  `position`,
  `committed_at`,
  IF(`op` <> 'D' AND TRUE, ARRAY(`after`.`code`, `after`.`name`), NULL) AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM `merged`
LATERAL VIEW
EXPLODE(TRANSFORM(SEQUENCE(0, 1), `shard` -> STRUCT(`shard` AS `shard`, 0 AS `part`))) places AS `place`;

-- statement: packed -- Events in one form for all tables, for the merge of several tables together (29-batch).
SELECT
  'country' AS `table`,
  `source_table`,
  `op`,
  `key`,
  `position`,
  IF(`after` IS NULL, NULL, ARRAY(`after`.`code`, `after`.`name`)) AS `row`,
  `before_place`,
  `after_place`,
  TRANSFORM(SEQUENCE(0, 1), `shard` -> STRUCT(`shard` AS `shard`, 0 AS `part`)) AS `everywhere`,
  TRUE AS `remembers`
FROM `decoded`;
