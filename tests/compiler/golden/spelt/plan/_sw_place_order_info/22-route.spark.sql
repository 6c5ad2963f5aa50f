-- _sw_place_order_info: 22-route

-- statement: route -- Parents that were inserted, deleted or changed their place.
SELECT
  '_sw_place_order_info' AS `table`,
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
    ARRAY(`after`.`shop_code`, `after`.`order_no`, CAST(`after_place`.`shard` AS STRING), CAST(`after_place`.`part` AS STRING))
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
    `c`.`same` IS NULL,
    STRUCT(COALESCE(`s`.`shard`, 0) AS `shard`, COALESCE(`s`.`part`, 0) AS `part`),
    COALESCE(`c`.`place`, STRUCT(0 AS `shard`, 0 AS `part`))
  ) AS `at_end`,
  `c`.`position`,
  `c`.`committed_at`
FROM `recorded_places` AS `s`
LEFT JOIN (
  SELECT
    `r`.`lookup_table`,
    `r`.`same`,
    MAX(`l`.`position`) AS `position`,
    MAX(`l`.`committed_at`) AS `committed_at`,
    IF(
      MAX(`l`.`position`) FILTER(WHERE
        `l`.`action` = 'upsert') = MAX(`l`.`position`),
      MAX_BY(
        STRUCT(CAST(ELEMENT_AT(`l`.`row`, -2) AS INT) AS `shard`, CAST(ELEMENT_AT(`l`.`row`, -1) AS INT) AS `part`),
        `l`.`position`
      ) FILTER(WHERE
        `l`.`action` = 'upsert'),
      NULL
    ) AS `place`
  FROM `lookup_changes` AS `l`
  JOIN `recorded_places` AS `r`
    ON `r`.`lookup_table` = `l`.`table` AND `r`.`key` = `l`.`key`
  GROUP BY
    `r`.`lookup_table`,
    `r`.`same`
) AS `c`
  ON `c`.`lookup_table` = `s`.`lookup_table` AND `c`.`same` = `s`.`same`
WHERE
  `s`.`lookup_table` = '_sw_place_order_info';
