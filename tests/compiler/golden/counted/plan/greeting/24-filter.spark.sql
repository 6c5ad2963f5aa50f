-- greeting: 24-filter

-- statement: filter -- Every copy counts: insert or delete.
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
  IF(`action` = 'delete', 'delete', 'insert') AS `decision`
FROM `looked_up`
WHERE
  `table` IN (`${tables}`);
