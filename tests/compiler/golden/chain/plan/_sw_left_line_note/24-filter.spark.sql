-- _sw_left_line_note: 24-filter

-- statement: filter -- The decision per change: insert, update, delete, skip (stale or nothing there), defer (tombstone first).
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
    WHEN `action` <> 'upsert' AND FALSE AND `snapshot_open`
    THEN 'defer'
    WHEN `action` <> 'upsert' AND `found`
    THEN 'delete'
    WHEN `action` <> 'upsert' AND `snapshot_open`
    THEN 'delete'
    WHEN `action` <> 'upsert'
    THEN 'skip'
    WHEN `found` AND FALSE
    THEN 'skip'
    WHEN `found`
    THEN 'update'
    ELSE 'insert'
  END AS `decision`
FROM `looked_up`
WHERE
  `table` IN (`${tables}`);
