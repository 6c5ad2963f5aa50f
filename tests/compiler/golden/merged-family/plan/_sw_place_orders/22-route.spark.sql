-- _sw_place_orders: 22-route

-- statement: route -- Parents that were inserted, deleted or got another parent. One without a parent is not recorded.
SELECT
  '_sw_place_orders' AS `table`,
  `source_table`,
  0 AS `shard`,
  0 AS `part`,
  IF(`op` = 'D' OR `after`.`customer_id` IS NULL, 'delete', 'upsert') AS `action`,
  `op`,
  CONCAT(`key`, ARRAY(`source_table`)) AS `key`,
  `position`,
  `committed_at`,
  IF(`op` = 'D' OR `after`.`customer_id` IS NULL, NULL, ARRAY(`after`.`code`, `source_table`, `after`.`customer_id`)) AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM `merged`
WHERE
  `op` <> 'U' OR SIZE(`places`) > 1;

-- statement: parents -- The rows above that these parents get.
SELECT DISTINCT
  '_sw_place_customer' AS `lookup_table`,
  SLICE(`row`, 3, SIZE(`row`) - 2) AS `key`
FROM `lookup_changes`
WHERE
  `table` = '_sw_place_orders' AND `action` = 'upsert';

-- statement: moving -- Parents that change their place. The rows of a new parent leave the orphans' place, those of a deleted one return there.
SELECT
  '_sw_place_orders' AS `table`,
  `key`,
  STRUCT(0 AS `shard`, 0 AS `part`) AS `at_start`,
  `at_end`,
  `position`,
  `committed_at`
FROM `placements`
WHERE
  `lookup_table` = '_sw_place_customer' AND `at_start` <> `at_end` AND NOT `position` IS NULL;

-- statement: gathering -- Parents that were read again: with all that is below the rows of this table.
SELECT
  '_sw_place_orders' AS `table`,
  `key`,
  STRUCT(0 AS `shard`, 0 AS `part`) AS `at_start`,
  `at_end`,
  `position`,
  `committed_at`
FROM `placements`
WHERE
  `lookup_table` = '_sw_place_customer' AND NOT `position` IS NULL;

-- statement: followers -- Parents that are recorded below a row that moves.
SELECT
  '_sw_place_orders' AS `lookup_table`,
  ARRAY(`row`[0], TRIM(TRAILING ' ' FROM `row`[1])) AS `key`,
  `at_end`,
  `position`,
  `committed_at`
FROM `moved`
WHERE
  `table` = '_sw_place_orders';

-- statement: placements -- Where parents are when the batch begins and when it ends: where their own parents are.
WITH `asked` AS (
  SELECT DISTINCT
    `key`,
    `same`
  FROM `recorded_places`
  WHERE
    `lookup_table` = '_sw_place_orders'
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
      IF(`l`.`action` = 'upsert', COALESCE(`p`.`at_end`, STRUCT(0 AS `shard`, 0 AS `part`)), NULL) AS `at_end`,
      `l`.`action`,
      `l`.`position`,
      `l`.`committed_at`
    FROM `lookup_changes` AS `l`
    JOIN `asked` AS `a`
      ON `a`.`key` = SLICE(`l`.`key`, 1, SIZE(`l`.`key`) - 1)
    LEFT JOIN `placements` AS `p`
      ON `p`.`lookup_table` = '_sw_place_customer' AND `p`.`key` = SLICE(`l`.`row`, 3, SIZE(`l`.`row`) - 2)
    WHERE
      `l`.`table` = '_sw_place_orders'
    UNION ALL
    SELECT
      `a`.`same`,
      ELEMENT_AT(`f`.`key`, -1),
      NULL,
      `f`.`at_end`,
      'follow',
      `f`.`position`,
      `f`.`committed_at`
    FROM `followers` AS `f`
    JOIN `asked` AS `a`
      ON `a`.`key` = SLICE(`f`.`key`, 1, SIZE(`f`.`key`) - 1)
    WHERE
      `f`.`lookup_table` = '_sw_place_orders'
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
      `lookup_table` = '_sw_place_orders' AND NOT `origin` IS NULL
  ) AS `said`
  GROUP BY
    `same`,
    `origin`
)
SELECT
  '_sw_place_orders' AS `lookup_table`,
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
