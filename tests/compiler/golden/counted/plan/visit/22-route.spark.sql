-- visit: 22-route

-- statement: route -- Where each copy goes to or leaves: the place follows from the row's values.
SELECT
  'visit' AS `table`,
  `source_table`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  IF(`op` = 'D', 'delete', 'upsert') AS `action`,
  `op`,
  `key`,
  `position`,
  `committed_at`,
  IF(`op` = 'D', NULL, `key`) AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM `merged`
LATERAL VIEW
EXPLODE(ARRAY_REPEAT(`home`, CAST(`copies` AS INT))) places AS `place`;
