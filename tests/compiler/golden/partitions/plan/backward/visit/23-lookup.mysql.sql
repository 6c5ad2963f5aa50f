-- visit: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  CAST(`t`.`at` AS CHAR CHARACTER SET utf8mb4),
  NULL,
  CONCAT(
    ELT(CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) % 2 + 1, 'visit_db_0', 'visit_db_1'),
    '.',
    ELT((
      CRC32(CAST(`id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
    ) % 2 + 1, 'visit_0', 'visit_1')
  ) AS `sw_home`
FROM `${database}`.`visit${suffix}` AS `t`
WHERE
  (`t`.`id`, `t`.`at`) IN (`${keys}`);
