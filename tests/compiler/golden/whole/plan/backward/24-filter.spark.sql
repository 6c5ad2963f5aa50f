-- every table: 24-filter

-- statement: filter -- The decision per change: insert, update, delete, skip (nothing there), reread (from the shards, by key).
SELECT
  `table`,
  `source_table`,
  `shard`,
  `part`,
  `action`,
  `key`,
  `position`,
  `committed_at`,
  `row`,
  `version_before`,
  CASE
    WHEN `action` <> 'upsert' AND `found`
    THEN 'delete'
    WHEN `action` <> 'upsert'
    THEN 'skip'
    WHEN `found`
    THEN 'update'
    WHEN `op` = 'U'
    THEN 'insert'
    ELSE 'insert'
  END AS `decision`,
  CASE
    WHEN `action` <> 'upsert' AND `found`
    THEN 'the row is there'
    WHEN `action` <> 'upsert'
    THEN 'no row is there'
    WHEN `found`
    THEN 'the row is there'
    WHEN `op` = 'U'
    THEN 'no row, update becomes insert'
    ELSE 'a new row'
  END AS `why`
FROM `looked_up`;
