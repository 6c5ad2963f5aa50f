-- account: 22-route

-- statement: route -- Where each change goes: upsert at the row's place, move_out at the places it left, delete at all places.
SELECT
  'account' AS `table`,
  `source_table`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  CASE WHEN `op` = 'D' THEN 'delete' WHEN `place` = `after_place` THEN 'upsert' ELSE 'move_out' END AS `action`,
  `op`,
  `key`,
  `position`,
  `committed_at`,
  IF(
    `op` <> 'D' AND `place` = `after_place`,
    ARRAY(`after`.`id`, `after`.`user_id`, SUBSTRING_INDEX(`source_table`, '.', 1)),
    NULL
  ) AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM `merged`
LATERAL VIEW
EXPLODE(`places`) places AS `place`;
