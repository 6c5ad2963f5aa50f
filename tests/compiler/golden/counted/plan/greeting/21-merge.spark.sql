-- greeting: 21-merge

-- statement: merge -- How many copies of each row come or go. Rows whose number stays the same are left out.
SELECT
  `source_table`,
  `key`,
  IF(SUM(`copies`) > 0, 'I', 'D') AS `op`,
  ABS(SUM(`copies`)) AS `copies`,
  MAX(`position`) AS `position`,
  MAX(`committed_at`) AS `committed_at`,
  MAX(`home`) AS `home`
FROM (
  SELECT
    `source_table`,
    `key`,
    IF(`op` = 'I', 1, -1) AS `copies`,
    `position`,
    `committed_at`,
    COALESCE(`after_place`, `before_place`) AS `home`
  FROM `decoded`
  WHERE
    `op` <> 'U'
  DISTRIBUTE BY
    `source_table`,
    `key`
) AS `gathered`
GROUP BY
  `source_table`,
  `key`
HAVING
  SUM(`copies`) <> 0;
