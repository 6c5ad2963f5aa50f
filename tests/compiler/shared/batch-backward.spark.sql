-- every table: 29-batch

-- statement: merged -- Child rows: their merged changes, before their parents give their places.
WITH `decoded` AS (
  SELECT
    *
  FROM `${decode}`
)
SELECT
  *
FROM `${merge}`;

-- statement: routed -- Tables whose shards are asked before the filter decides.
WITH `decoded` AS (
  SELECT
    *
  FROM `${decode}`
), `merged` AS (
  SELECT
    *
  FROM `${merge}`
)
SELECT
  *
FROM `${route}`;

-- statement: decided -- After the look-up: what is staged on the shards.
SELECT
  `table`,
  `source_table`,
  `shard`,
  `part`,
  `action`,
  `decision`,
  `key`,
  `position`.`file` AS `file`,
  `position`.`offset` AS `offset`,
  `position`.`row` AS `line`,
  `row`,
  `version_before`,
  IF(`${recorded}`, `why`, NULL) AS `why`
FROM `${filter}`
WHERE
  `decision` <> 'skip' OR `${recorded}`;

-- statement: decided_without_lookup -- All other tables in one query. An inserted row counts as new; the shard finds out when it is not.
WITH `decoded` AS (
  SELECT
    *
  FROM `${decode}`
), `merged` AS (
  SELECT
    *
  FROM `${merge}`
), `routed` AS (
  SELECT
    *
  FROM `${route}`
), `looked_up` AS (
  SELECT
    *,
    NOT (
      `action` = 'upsert' AND `op` = 'I'
    ) AS `found`,
    CAST(NULL AS STRING) AS `found_version`,
    `${snapshot_open}` AS `snapshot_open`
  FROM `routed`
)
SELECT
  `table`,
  `source_table`,
  `shard`,
  `part`,
  `action`,
  `decision`,
  `key`,
  `position`.`file` AS `file`,
  `position`.`offset` AS `offset`,
  `position`.`row` AS `line`,
  `row`,
  `version_before`,
  IF(`${recorded}`, `why`, NULL) AS `why`
FROM `${filter}`
WHERE
  `decision` <> 'skip' OR `${recorded}`;

-- statement: together -- Several tables whose rows travel as they are: one merge for all of them, by the rules of 21 to 24.
WITH `packed` AS (
  SELECT
    *
  FROM `${packed}`
), `changes_of_keys` AS (
  SELECT
    `table`,
    `source_table`,
    `change`.`op` AS `op`,
    `change`.`key` AS `key`,
    `position`,
    `change`.`row` AS `row`,
    `change`.`before_place` AS `before_place`,
    `change`.`after_place` AS `after_place`,
    `everywhere`
  FROM `packed`
  LATERAL VIEW
  EXPLODE(
    IF(
      `op` = 'U' AND `before_key` <> `after_key`,
      ARRAY(
        STRUCT(
          'D' AS `op`,
          `before_key` AS `key`,
          IF(FALSE, `row`, NULL) AS `row`,
          `before_place` AS `before_place`,
          IF(FALSE, `after_place`, NULL) AS `after_place`
        ),
        STRUCT(
          'I' AS `op`,
          `after_key` AS `key`,
          `row` AS `row`,
          IF(FALSE, `before_place`, NULL) AS `before_place`,
          `after_place` AS `after_place`
        )
      ),
      ARRAY(
        STRUCT(
          `op` AS `op`,
          COALESCE(`after_key`, `before_key`) AS `key`,
          `row` AS `row`,
          `before_place` AS `before_place`,
          `after_place` AS `after_place`
        )
      )
    )
  ) changes AS `change`
), `merged` AS (
  SELECT
    `table`,
    `source_table`,
    `key`,
    CASE
      WHEN MAX_BY(`op`, `position`) <> 'U'
      THEN MAX_BY(`op`, `position`)
      WHEN MAX_BY(`op`, `position`) FILTER(WHERE
        `op` <> 'U') = 'I'
      THEN 'I'
      ELSE 'U'
    END AS `op`,
    MAX(`position`) AS `position`,
    MAX_BY(`row`, `position`) AS `row`,
    MAX_BY(`after_place`, `position`) AS `after_place`,
    MAX_BY(`everywhere`, `position`) AS `everywhere`,
    ARRAY_DISTINCT(ARRAY_COMPACT(FLATTEN(COLLECT_LIST(ARRAY(`before_place`, `after_place`))))) AS `places`
  FROM (
    SELECT
      *
    FROM `changes_of_keys`
    DISTRIBUTE BY
      `source_table`,
      `key`
  ) AS `gathered`
  GROUP BY
    `table`,
    `source_table`,
    `key`
), `routed` AS (
  SELECT
    `table`,
    `source_table`,
    `place`.`shard` AS `shard`,
    `place`.`part` AS `part`,
    CASE
      WHEN `op` = 'D'
      THEN 'delete'
      WHEN NOT `everywhere` IS NULL OR `place` = `after_place`
      THEN 'upsert'
      ELSE 'move_out'
    END AS `action`,
    `op`,
    `key`,
    `position`,
    CAST(NULL AS BIGINT) AS `committed_at`,
    IF(`op` <> 'D' AND (
      NOT `everywhere` IS NULL OR `place` = `after_place`
    ), `row`, NULL) AS `row`,
    CAST(NULL AS STRING) AS `version_before`,
    CAST(NULL AS STRING) AS `version`
  FROM `merged`
  LATERAL VIEW
  EXPLODE(COALESCE(`everywhere`, `places`)) places AS `place`
), `looked_up` AS (
  SELECT
    *,
    NOT (
      `action` = 'upsert' AND `op` = 'I'
    ) AS `found`,
    CAST(NULL AS STRING) AS `found_version`,
    `${snapshot_open}` AS `snapshot_open`
  FROM `routed`
)
SELECT
  `table`,
  `source_table`,
  `shard`,
  `part`,
  `action`,
  `decision`,
  `key`,
  `position`.`file` AS `file`,
  `position`.`offset` AS `offset`,
  `position`.`row` AS `line`,
  `row`,
  `version_before`,
  IF(`${recorded}`, `why`, NULL) AS `why`
FROM `${filter}`
WHERE
  `decision` <> 'skip' OR `${recorded}`;

-- statement: new_rows -- Instead, where every event inserts a row and nothing is copied: a row has one event. None are merged.
SELECT
  `table`,
  `source_table`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  'upsert' AS `action`,
  IF(`op` = 'I', 'insert', RAISE_ERROR(CONCAT('no INSERT: ', `op`, ' of ', `source_table`))) AS `decision`,
  `after_key` AS `key`,
  `position`.`file` AS `file`,
  `position`.`offset` AS `offset`,
  `position`.`row` AS `line`,
  `row`,
  CAST(NULL AS STRING) AS `version_before`,
  IF(`${recorded}`, 'a new row', NULL) AS `why`
FROM `${packed}`
LATERAL VIEW
EXPLODE(COALESCE(`everywhere`, ARRAY(`after_place`))) places AS `place`;

-- statement: admitted -- Instead of decode, where keys are quarantined: their events are left out.
SELECT
  `d`.*
FROM `${decode}` AS `d`
LEFT ANTI JOIN `dead_keys` AS `k`
  ON `k`.`logical` = `${logical}`
  AND `k`.`key` = `d`.`key`
  AND (
    `k`.`source_table` IS NULL OR `k`.`source_table` = `d`.`source_table`
  )
  AND (
    `k`.`until` IS NULL OR `d`.`position` < `k`.`until`
  );

-- statement: held -- What is kept of the events of quarantined keys; new ones are counted.
SELECT
  `${logical}` AS `logical`,
  `k`.`source_table` AS `source_table`,
  `d`.`key` AS `key`,
  COUNT(*) FILTER(WHERE
    `k`.`last` IS NULL OR `d`.`position` > `k`.`last`) AS `events`,
  MAX(`d`.`position`) FILTER(WHERE
    `k`.`last` IS NULL OR `d`.`position` > `k`.`last`) AS `position`,
  MAX_BY(`d`.`op`, `d`.`position`) FILTER(WHERE
    `k`.`last` IS NULL OR `d`.`position` > `k`.`last`) AS `op`,
  TO_JSON(
    MAX_BY(COALESCE(`d`.`after`, `d`.`before`), `d`.`position`) FILTER(WHERE
      `k`.`last` IS NULL OR `d`.`position` > `k`.`last`)
  ) AS `image`,
  ARRAY_DISTINCT(ARRAY_COMPACT(FLATTEN(COLLECT_LIST(ARRAY(`d`.`before_place`, `d`.`after_place`))))) AS `places`
FROM `${decode}` AS `d`
INNER JOIN `dead_keys` AS `k`
  ON `k`.`logical` = `${logical}`
  AND `k`.`key` = `d`.`key`
  AND (
    `k`.`source_table` IS NULL OR `k`.`source_table` = `d`.`source_table`
  )
WHERE
  `k`.`until` IS NULL OR `d`.`position` < `k`.`until`
GROUP BY
  `k`.`source_table`,
  `d`.`key`;

-- statement: edges -- First and last event of keys whose rows were read again.
SELECT
  `d`.`key` AS `key`,
  MIN(`d`.`position`) AS `first`,
  MAX(`d`.`position`) AS `last`
FROM `${decode}` AS `d`
LEFT SEMI JOIN `answered_keys` AS `k`
  ON `k`.`key` = `d`.`key` AND (
    `k`.`source_table` IS NULL OR `k`.`source_table` = `d`.`source_table`
  )
GROUP BY
  `d`.`key`;

-- statement: own_versions -- After a change of servers: the version that the stream wrote last is no foreign one.
SELECT
  `r`.`table` AS `table`,
  `r`.`source_table` AS `source_table`,
  `r`.`shard` AS `shard`,
  `r`.`part` AS `part`,
  `r`.`action` AS `action`,
  `r`.`op` AS `op`,
  `r`.`key` AS `key`,
  `r`.`position` AS `position`,
  `r`.`committed_at` AS `committed_at`,
  `r`.`row` AS `row`,
  COALESCE(`l`.`version`, `r`.`version_before`) AS `version_before`,
  `r`.`version` AS `version`
FROM `routed` AS `r`
LEFT JOIN (
  SELECT
    `logical`,
    `source_table`,
    `key`,
    MAX_BY(`version`, `batch`) FILTER(WHERE
      NOT `version` IS NULL) AS `version`
  FROM `written_rows`
  GROUP BY
    `logical`,
    `source_table`,
    `key`
) AS `l`
  ON `l`.`logical` = `r`.`table`
  AND `l`.`source_table` = `r`.`source_table`
  AND `l`.`key` = `r`.`key`
  AND `r`.`action` = 'upsert';

-- statement: leave -- Rows that were read again leave every place where they are not any more. Under policy `ignore` a row that is gone at the source stays.
SELECT
  `p`.`logical` AS `table`,
  `p`.`source_table` AS `source_table`,
  `p`.`shard` AS `shard`,
  `p`.`part` AS `part`,
  IF(`u`.`key` IS NULL, 'delete', 'move_out') AS `action`,
  'D' AS `op`,
  `p`.`key` AS `key`,
  `p`.`position` AS `position`,
  CAST(NULL AS BIGINT) AS `committed_at`,
  CAST(NULL AS ARRAY<STRING>) AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM (
  SELECT DISTINCT
    *
  FROM `places_left`
) AS `p`
LEFT JOIN (
  SELECT DISTINCT
    `table`,
    `source_table`,
    `key`
  FROM `routed`
  WHERE
    `action` = 'upsert'
) AS `u`
  ON `u`.`table` = `p`.`logical` AND `u`.`source_table` = `p`.`source_table` AND `u`.`key` = `p`.`key`
LEFT ANTI JOIN `routed` AS `r`
  ON `r`.`table` = `p`.`logical`
  AND `r`.`source_table` = `p`.`source_table`
  AND `r`.`key` = `p`.`key`
  AND `r`.`shard` = `p`.`shard`
  AND `r`.`part` = `p`.`part`
WHERE
  NOT `u`.`key` IS NULL OR NOT `p`.`keeps_deleted`;

-- statement: routed_together -- Several tables whose rows travel as they are: one merge for all of them, before the look-up.
WITH `packed` AS (
  SELECT
    *
  FROM `${packed}`
), `changes_of_keys` AS (
  SELECT
    `table`,
    `source_table`,
    `change`.`op` AS `op`,
    `change`.`key` AS `key`,
    `position`,
    `change`.`row` AS `row`,
    `change`.`before_place` AS `before_place`,
    `change`.`after_place` AS `after_place`,
    `everywhere`
  FROM `packed`
  LATERAL VIEW
  EXPLODE(
    IF(
      `op` = 'U' AND `before_key` <> `after_key`,
      ARRAY(
        STRUCT(
          'D' AS `op`,
          `before_key` AS `key`,
          IF(FALSE, `row`, NULL) AS `row`,
          `before_place` AS `before_place`,
          IF(FALSE, `after_place`, NULL) AS `after_place`
        ),
        STRUCT(
          'I' AS `op`,
          `after_key` AS `key`,
          `row` AS `row`,
          IF(FALSE, `before_place`, NULL) AS `before_place`,
          `after_place` AS `after_place`
        )
      ),
      ARRAY(
        STRUCT(
          `op` AS `op`,
          COALESCE(`after_key`, `before_key`) AS `key`,
          `row` AS `row`,
          `before_place` AS `before_place`,
          `after_place` AS `after_place`
        )
      )
    )
  ) changes AS `change`
), `merged` AS (
  SELECT
    `table`,
    `source_table`,
    `key`,
    CASE
      WHEN MAX_BY(`op`, `position`) <> 'U'
      THEN MAX_BY(`op`, `position`)
      WHEN MAX_BY(`op`, `position`) FILTER(WHERE
        `op` <> 'U') = 'I'
      THEN 'I'
      ELSE 'U'
    END AS `op`,
    MAX(`position`) AS `position`,
    MAX_BY(`row`, `position`) AS `row`,
    MAX_BY(`after_place`, `position`) AS `after_place`,
    MAX_BY(`everywhere`, `position`) AS `everywhere`,
    ARRAY_DISTINCT(ARRAY_COMPACT(FLATTEN(COLLECT_LIST(ARRAY(`before_place`, `after_place`))))) AS `places`
  FROM (
    SELECT
      *
    FROM `changes_of_keys`
    DISTRIBUTE BY
      `source_table`,
      `key`
  ) AS `gathered`
  GROUP BY
    `table`,
    `source_table`,
    `key`
), `routed` AS (
  SELECT
    `table`,
    `source_table`,
    `place`.`shard` AS `shard`,
    `place`.`part` AS `part`,
    CASE
      WHEN `op` = 'D'
      THEN 'delete'
      WHEN NOT `everywhere` IS NULL OR `place` = `after_place`
      THEN 'upsert'
      ELSE 'move_out'
    END AS `action`,
    `op`,
    `key`,
    `position`,
    CAST(NULL AS BIGINT) AS `committed_at`,
    IF(`op` <> 'D' AND (
      NOT `everywhere` IS NULL OR `place` = `after_place`
    ), `row`, NULL) AS `row`,
    CAST(NULL AS STRING) AS `version_before`,
    CAST(NULL AS STRING) AS `version`
  FROM `merged`
  LATERAL VIEW
  EXPLODE(COALESCE(`everywhere`, `places`)) places AS `place`
)
SELECT
  *
FROM `routed`;

-- statement: reread -- Keys whose events have no order are read again from the shards: what exists there decides.
SELECT
  `r`.*
FROM `routed` AS `r`
LEFT ANTI JOIN `reread_keys` AS `k`
  ON `k`.`logical` = `r`.`table` AND `k`.`key` = `r`.`key`
UNION ALL
SELECT
  `table`,
  `source_table`,
  `shard`,
  `part`,
  `action`,
  'R' AS `op`,
  `key`,
  `position`,
  `committed_at`,
  `row`,
  `version_before`,
  `version`
FROM `rows_read`;
