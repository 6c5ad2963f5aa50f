-- _sw_place_customer: 22-route

-- statement: route -- Parents that were inserted, deleted or changed their place.
SELECT
  '_sw_place_customer' AS `table`,
  `source_table`,
  0 AS `shard`,
  0 AS `part`,
  IF(`op` = 'D', 'delete', 'upsert') AS `action`,
  `op`,
  CONCAT(`key`, ARRAY(SUBSTRING_INDEX(`source_table`, '.', 1))) AS `key`,
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
WITH `asked` AS (
  SELECT DISTINCT
    `key`,
    `same`
  FROM `recorded_places`
  WHERE
    `lookup_table` = '_sw_place_customer'
), `of_sources` AS (
  SELECT
    `same`,
    `origin`,
    MAX(`at_start`) AS `at_start`,
    CASE
      WHEN COUNT(*) FILTER(WHERE
        `action` <> 'follow') = 0
      THEN COALESCE(MAX(`at_end`), MAX(`at_start`))
      WHEN MAX(`position`) FILTER(WHERE
        `action` = 'upsert') = MAX(`position`) FILTER(WHERE
        `action` <> 'follow')
      THEN MAX_BY(`at_end`, `position`) FILTER(WHERE
        `action` = 'upsert')
    END AS `at_end`,
    MAX(`position`) AS `position`,
    MAX(`committed_at`) AS `committed_at`
  FROM (
    SELECT
      `a`.`same`,
      ELEMENT_AT(`l`.`key`, -1) AS `origin`,
      NULL AS `at_start`,
      IF(
        `l`.`action` = 'upsert',
        STRUCT(CAST(ELEMENT_AT(`l`.`row`, -2) AS INT) AS `shard`, CAST(ELEMENT_AT(`l`.`row`, -1) AS INT) AS `part`),
        NULL
      ) AS `at_end`,
      `l`.`action`,
      `l`.`position`,
      `l`.`committed_at`
    FROM `lookup_changes` AS `l`
    JOIN `asked` AS `a`
      ON `a`.`key` = SLICE(`l`.`key`, 1, SIZE(`l`.`key`) - 1)
    WHERE
      `l`.`table` = '_sw_place_customer'
    UNION ALL
    SELECT DISTINCT
      `same`,
      `origin`,
      STRUCT(`shard` AS `shard`, `part` AS `part`),
      NULL,
      NULL,
      NULL,
      NULL
    FROM `recorded_places`
    WHERE
      `lookup_table` = '_sw_place_customer' AND NOT `origin` IS NULL
  ) AS `said`
  GROUP BY
    `same`,
    `origin`
)
SELECT
  '_sw_place_customer' AS `lookup_table`,
  `a`.`key`,
  COALESCE(`w`.`at_start`, STRUCT(0 AS `shard`, 0 AS `part`)) AS `at_start`,
  COALESCE(`w`.`at_end`, STRUCT(0 AS `shard`, 0 AS `part`)) AS `at_end`,
  `w`.`position`,
  `w`.`committed_at`
FROM `asked` AS `a`
LEFT JOIN (
  SELECT
    `same`,
    MIN_BY(`at_start`, `origin`) FILTER(WHERE
      NOT `at_start` IS NULL) AS `at_start`,
    MIN_BY(`at_end`, `origin`) FILTER(WHERE
      NOT `at_end` IS NULL) AS `at_end`,
    MAX(`position`) AS `position`,
    MAX(`committed_at`) AS `committed_at`
  FROM `of_sources`
  GROUP BY
    `same`
) AS `w`
  ON `w`.`same` = `a`.`same`;
