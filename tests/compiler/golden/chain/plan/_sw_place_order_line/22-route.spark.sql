-- _sw_place_order_line: 22-route

-- statement: route -- Parents that were inserted, deleted or got another parent. One without a parent is not recorded.
SELECT
  '_sw_place_order_line' AS `table`,
  `source_table`,
  0 AS `shard`,
  0 AS `part`,
  IF(`op` = 'D' OR (
    `after`.`shop` IS NULL OR `after`.`order_no` IS NULL
  ), 'delete', 'upsert') AS `action`,
  `op`,
  `key`,
  `position`,
  `committed_at`,
  IF(
    `op` = 'D' OR (
      `after`.`shop` IS NULL OR `after`.`order_no` IS NULL
    ),
    NULL,
    ARRAY(`after`.`line`, TRIM(TRAILING ' ' FROM `after`.`shop`), `after`.`order_no`)
  ) AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM `merged`
WHERE
  `op` <> 'U' OR SIZE(`places`) > 1;

-- statement: parents -- The rows above that these parents get.
SELECT DISTINCT
  '_sw_place_order_info' AS `lookup_table`,
  SLICE(`row`, 2, SIZE(`row`) - 1) AS `key`
FROM `lookup_changes`
WHERE
  `table` = '_sw_place_order_line' AND `action` = 'upsert';

-- statement: moving -- Parents that change their place. The rows of a new parent leave the orphans' place, those of a deleted one return there.
SELECT
  '_sw_place_order_line' AS `table`,
  `key`,
  STRUCT(0 AS `shard`, 0 AS `part`) AS `at_start`,
  `at_end`,
  `position`,
  `committed_at`
FROM `placements`
WHERE
  `lookup_table` = '_sw_place_order_info' AND `at_start` <> `at_end` AND NOT `position` IS NULL;

-- statement: gathering -- Parents that were read again: with all that is below the rows of this table.
SELECT
  '_sw_place_order_line' AS `table`,
  `key`,
  STRUCT(0 AS `shard`, 0 AS `part`) AS `at_start`,
  `at_end`,
  `position`,
  `committed_at`
FROM `placements`
WHERE
  `lookup_table` = '_sw_place_order_info' AND NOT `position` IS NULL;

-- statement: followers -- Parents that are recorded below a row that moves.
SELECT
  '_sw_place_order_line' AS `lookup_table`,
  ARRAY(`row`[0]) AS `key`,
  `at_end`,
  `position`,
  `committed_at`
FROM `moved`
WHERE
  `table` = '_sw_place_order_line';

-- statement: placements -- Where parents are when the batch begins and when it ends: where their own parents are.
SELECT
  `s`.`lookup_table`,
  `s`.`key`,
  STRUCT(COALESCE(`s`.`shard`, 0) AS `shard`, COALESCE(`s`.`part`, 0) AS `part`) AS `at_start`,
  CASE
    WHEN NOT `c`.`same` IS NULL
    THEN COALESCE(`p`.`at_end`, STRUCT(0 AS `shard`, 0 AS `part`))
    WHEN NOT `f`.`same` IS NULL
    THEN `f`.`at_end`
    ELSE STRUCT(COALESCE(`s`.`shard`, 0) AS `shard`, COALESCE(`s`.`part`, 0) AS `part`)
  END AS `at_end`,
  COALESCE(`c`.`position`, `f`.`position`) AS `position`,
  COALESCE(`c`.`committed_at`, `f`.`committed_at`) AS `committed_at`
FROM `recorded_places` AS `s`
LEFT JOIN (
  SELECT
    `r`.`same`,
    MAX(`l`.`position`) AS `position`,
    MAX(`l`.`committed_at`) AS `committed_at`,
    IF(
      MAX(`l`.`position`) FILTER(WHERE
        `l`.`action` = 'upsert') = MAX(`l`.`position`),
      MAX_BY(SLICE(`l`.`row`, 2, SIZE(`l`.`row`) - 1), `l`.`position`) FILTER(WHERE
        `l`.`action` = 'upsert'),
      NULL
    ) AS `via`
  FROM `lookup_changes` AS `l`
  JOIN `recorded_places` AS `r`
    ON `r`.`lookup_table` = `l`.`table` AND `r`.`key` = `l`.`key`
  WHERE
    `l`.`table` = '_sw_place_order_line'
  GROUP BY
    `r`.`same`
) AS `c`
  ON `c`.`same` = `s`.`same`
LEFT JOIN `placements` AS `p`
  ON `p`.`lookup_table` = '_sw_place_order_info' AND `p`.`key` = `c`.`via`
LEFT JOIN (
  SELECT
    `r`.`same`,
    MAX(`m`.`at_end`) AS `at_end`,
    MAX(`m`.`position`) AS `position`,
    MAX(`m`.`committed_at`) AS `committed_at`
  FROM `followers` AS `m`
  JOIN `recorded_places` AS `r`
    ON `r`.`lookup_table` = `m`.`lookup_table` AND `r`.`key` = `m`.`key`
  WHERE
    `m`.`lookup_table` = '_sw_place_order_line'
  GROUP BY
    `r`.`same`
) AS `f`
  ON `f`.`same` = `s`.`same`
WHERE
  `s`.`lookup_table` = '_sw_place_order_line';
