-- visit: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  CAST(`t`.`seen_at` AS CHAR CHARACTER SET utf8mb4),
  NULL
FROM `visit${suffix}` AS `t`
WHERE
  (`t`.`id`, `t`.`seen_at`) IN (`${keys}`);
