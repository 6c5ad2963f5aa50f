-- orders: 22-route

-- statement: parents -- The parents that the batch's rows have or had.
SELECT DISTINCT
  '_sw_place_customer' AS `lookup_table`,
  `via` AS `key`
FROM `unplaced`
LATERAL VIEW
EXPLODE(`places`) vias AS `via`;

-- statement: place -- Where each row goes and where it was: at its parents' places when the batch ends and when it began.
SELECT
  `u`.*
  EXCEPT (`after_place`, `places`),
  `placed`.`after_place`,
  `placed`.`places`
FROM `unplaced` AS `u`
JOIN (
  SELECT
    `v`.`source_table`,
    `v`.`key`,
    MAX(IF(`w`.`key` = `v`.`after_place`, `w`.`at_end`, NULL)) AS `after_place`,
    ARRAY_DISTINCT(FLATTEN(COLLECT_LIST(ARRAY(`w`.`at_start`, `w`.`at_end`)))) AS `places`
  FROM (
    SELECT
      `source_table`,
      `key`,
      `after_place`,
      `via`
    FROM `unplaced`
    LATERAL VIEW
    EXPLODE(`places`) vias AS `via`
  ) AS `v`
  JOIN `placements` AS `w`
    ON `w`.`lookup_table` = '_sw_place_customer' AND `w`.`key` = `v`.`via`
  GROUP BY
    `v`.`source_table`,
    `v`.`key`
) AS `placed`
  ON `placed`.`source_table` = `u`.`source_table` AND `placed`.`key` = `u`.`key`;

-- statement: route -- Where each change goes: upsert at the row's place, move_out at the places it left, delete at all places.
SELECT
  'orders' AS `table`,
  `source_table`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  CASE WHEN `op` = 'D' THEN 'delete' WHEN `place` = `after_place` THEN 'upsert' ELSE 'move_out' END AS `action`,
  `op`,
  `key`,
  `position`,
  `committed_at`,
  IF(`op` <> 'D' AND `place` = `after_place`, ARRAY(`after`.`code`, `after`.`customer_id`, `after`.`total`), NULL) AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM `merged`
LATERAL VIEW
EXPLODE(`places`) places AS `place`;

-- statement: moving -- Parents that change their place. The rows of a new parent leave the orphans' place, those of a deleted one return there.
SELECT
  'orders' AS `table`,
  `key`,
  `at_start`,
  `at_end`,
  `position`,
  `committed_at`
FROM `placements`
WHERE
  `lookup_table` = '_sw_place_customer' AND `at_start` <> `at_end` AND NOT `position` IS NULL;

-- statement: gathering -- Parents that were read again: their rows come from wherever they are, also where they should not be.
SELECT
  'orders' AS `table`,
  `key`,
  STRUCT(`shard` AS `shard`, `part` AS `part`) AS `at_start`,
  `at_end`,
  `position`,
  `committed_at`
FROM `placements`
LATERAL VIEW
EXPLODE(SEQUENCE(0, 2)) shards AS `shard`
LATERAL VIEW
EXPLODE(SEQUENCE(0, 1)) parts AS `part`
WHERE
  `lookup_table` = '_sw_place_customer'
  AND NOT `position` IS NULL
  AND (
    `shard` <> `at_end`.`shard` OR `part` <> `at_end`.`part`
  );

-- statement: followers -- Without quarantined rows: nothing of them takes effect, and so they stay where they are.
SELECT
  `m`.*
FROM `moved_rows` AS `m`
LEFT ANTI JOIN `dead_keys` AS `k`
  ON `k`.`logical` = 'orders'
  AND `k`.`key` = ARRAY(`row`[0])
  AND (
    `k`.`source_table` IS NULL OR `k`.`source_table` = `m`.`source_table`
  )
  AND `k`.`until` IS NULL;

-- statement: follow -- Rows without a change of their own follow their parent. Rows with one only leave the old place.
SELECT
  'orders' AS `table`,
  `source_table` AS `source_table`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  IF(`taken` IS NULL, 'move_out', 'upsert') AS `action`,
  'U' AS `op`,
  `key`,
  `position`,
  `committed_at`,
  `taken`.`row` AS `row`,
  `taken`.`version` AS `version_before`,
  `taken`.`version` AS `version`
FROM (
  SELECT
    `f`.`source_table`,
    `f`.`key`,
    `f`.`place`,
    MAX(`f`.`position`) AS `position`,
    MAX(`f`.`committed_at`) AS `committed_at`,
    MAX(IF(`f`.`comes`, STRUCT(`f`.`row` AS `row`, `f`.`version` AS `version`), NULL)) AS `taken`
  FROM (
    SELECT
      `source_table` AS `source_table`,
      ARRAY(`row`[0]) AS `key`,
      `step`.`place` AS `place`,
      `step`.`comes` AS `comes`,
      `position`,
      `committed_at`,
      `row`,
      CAST(NULL AS STRING) AS `version`
    FROM `moved`
    LATERAL VIEW
    EXPLODE(ARRAY(STRUCT(`at_end` AS `place`, TRUE AS `comes`), STRUCT(`at_start` AS `place`, FALSE AS `comes`))) steps AS `step`
    WHERE
      `table` = 'orders'
  ) AS `f`
  LEFT ANTI JOIN `merged` AS `own`
    ON `own`.`source_table` = `f`.`source_table`
    AND `own`.`key` = `f`.`key`
    AND (
      `f`.`comes` OR ARRAY_CONTAINS(`own`.`places`, `f`.`place`)
    )
  GROUP BY
    `f`.`source_table`,
    `f`.`key`,
    `f`.`place`
) AS `followed`;
