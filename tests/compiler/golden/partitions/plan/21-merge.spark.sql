-- every table: 21-merge

-- statement: merge -- One change per row: the last position wins; `places` keeps every place that the row was in.
SELECT
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
  MAX(`committed_at`) AS `committed_at`,
  MIN_BY(`before`, `position`) AS `first_before`,
  MAX_BY(`after`, `position`) AS `after`,
  MAX_BY(`after_place`, `position`) AS `after_place`,
  ARRAY_DISTINCT(ARRAY_COMPACT(FLATTEN(COLLECT_LIST(ARRAY(`before_place`, `after_place`))))) AS `places`,
  COUNT(*) AS `events`
FROM (
  SELECT
    *
  FROM `decoded`
  DISTRIBUTE BY
    `source_table`,
    `key`
) AS `gathered`
GROUP BY
  `source_table`,
  `key`;
