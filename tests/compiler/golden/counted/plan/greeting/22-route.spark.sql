-- greeting: 22-route

-- statement: route -- Where each copy goes to or leaves: the place follows from the row's values.
SELECT
  'greeting' AS `table`,
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
EXPLODE(
  FLATTEN(
    ARRAY_REPEAT(TRANSFORM(SEQUENCE(0, 1), `shard` -> STRUCT(`shard` AS `shard`, 0 AS `part`)), CAST(`copies` AS INT))
  )
) places AS `place`;
