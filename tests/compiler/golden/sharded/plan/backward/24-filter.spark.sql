-- every table: 24-filter

-- statement: filter -- The decision per change: insert, update, delete, skip (nothing there), reread (from the shards, by key), delete_if_gone (delete, unless a shard has the row: then reread).
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
    WHEN `op` <> 'R'
    AND (
      MIN(`source_table`) OVER (PARTITION BY `table`, `key`) <> MAX(`source_table`) OVER (PARTITION BY `table`, `key`)
      OR (
        `found` AND NOT `found_home` IS NOT DISTINCT FROM `source_table`
      )
    )
    THEN 'reread'
    WHEN `op` = 'D' AND `found`
    THEN 'delete_if_gone'
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
    WHEN `op` <> 'R'
    AND (
      MIN(`source_table`) OVER (PARTITION BY `table`, `key`) <> MAX(`source_table`) OVER (PARTITION BY `table`, `key`)
      OR (
        `found` AND NOT `found_home` IS NOT DISTINCT FROM `source_table`
      )
    )
    THEN 'events of several shards have no order'
    WHEN `op` = 'D' AND `found`
    THEN 'the source\'s row has columns that no shard brings'
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
