-- _sw_place_account: 22-route

-- statement: route -- Parents that were inserted, deleted or changed their place.
SELECT
  '_sw_place_account' AS `table`,
  `source_table`,
  0 AS `shard`,
  0 AS `part`,
  IF(`op` = 'D', 'delete', 'upsert') AS `action`,
  `op`,
  `key`,
  `position`,
  `committed_at`,
  IF(
    `op` = 'D',
    NULL,
    ARRAY(
      `after`.`id`,
      SUBSTRING_INDEX(`source_table`, '.', 1),
      CAST(`after_place`.`shard` AS STRING),
      CAST(`after_place`.`part` AS STRING)
    )
  ) AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM `merged`
WHERE
  `op` <> 'U' OR SIZE(`places`) > 1;

-- statement: placements -- Where parents are when the batch begins and when it ends.
SELECT
  `s`.`lookup_table`,
  `s`.`key`,
  STRUCT(COALESCE(`s`.`shard`, 0) AS `shard`, COALESCE(`s`.`part`, 0) AS `part`) AS `at_start`,
  IF(
    `c`.`key` IS NULL,
    STRUCT(COALESCE(`s`.`shard`, 0) AS `shard`, COALESCE(`s`.`part`, 0) AS `part`),
    COALESCE(`c`.`place`, STRUCT(0 AS `shard`, 0 AS `part`))
  ) AS `at_end`,
  `c`.`position`,
  `c`.`committed_at`
FROM `recorded_places` AS `s`
LEFT JOIN (
  SELECT
    `table` AS `lookup_table`,
    `key`,
    MAX(`position`) AS `position`,
    MAX(`committed_at`) AS `committed_at`,
    MAX_BY(STRUCT(CAST(ELEMENT_AT(`row`, -2) AS INT) AS `shard`, CAST(ELEMENT_AT(`row`, -1) AS INT) AS `part`), `position`) FILTER(WHERE
      `action` = 'upsert') AS `place`
  FROM `lookup_changes`
  GROUP BY
    `table`,
    `key`
) AS `c`
  ON `c`.`lookup_table` = `s`.`lookup_table` AND `c`.`key` = `s`.`key`
WHERE
  `s`.`lookup_table` = '_sw_place_account';
