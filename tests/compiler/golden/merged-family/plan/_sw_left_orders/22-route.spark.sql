-- _sw_left_orders: 22-route

-- statement: route -- Rows that were deleted or went to another parent: no chunk brings them back.
SELECT
  '_sw_left_orders' AS `table`,
  'old_0.orders_a' AS `source_table`,
  0 AS `shard`,
  0 AS `part`,
  'upsert' AS `action`,
  'I' AS `op`,
  `key`,
  MAX(`position`) AS `position`,
  MAX(`committed_at`) AS `committed_at`,
  `key` AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM (
  SELECT
    CONCAT(`key`, ARRAY(`source_table`)) AS `key`,
    `places`,
    `op`,
    `position`,
    `committed_at`
  FROM `unplaced`
)
WHERE
  `op` = 'D' OR SIZE(`places`) > 1
GROUP BY
  `key`;
