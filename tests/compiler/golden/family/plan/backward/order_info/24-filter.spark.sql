-- order_info: 24-filter

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
    WHEN `op` <> 'R'
    AND (
      MIN(`source_table`) OVER (PARTITION BY `table`, `key`) <> MAX(`source_table`) OVER (PARTITION BY `table`, `key`)
      OR (
        `found` AND NOT `found_home` IS NOT DISTINCT FROM `source_table`
      )
    )
    THEN 'reread'
    WHEN `action` <> 'upsert' AND `found`
    THEN 'delete'
    WHEN `action` <> 'upsert'
    THEN 'skip'
    WHEN `found`
    THEN 'update'
    ELSE 'insert'
  END AS `decision`
FROM `looked_up`
WHERE
  `table` IN (`${tables}`);
