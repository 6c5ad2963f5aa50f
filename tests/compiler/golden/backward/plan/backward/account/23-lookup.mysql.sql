-- account: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  NULL,
  CONCAT(
    ELT(CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 + 1, 'app_0', 'app_1'),
    '.',
    ELT((
      CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
    ) % 2 + 1, 'account_0', 'account_1')
  ) AS `sw_home`
FROM `${database}`.`account${suffix}` AS `t`
WHERE
  `t`.`id` IN (`${keys}`);
