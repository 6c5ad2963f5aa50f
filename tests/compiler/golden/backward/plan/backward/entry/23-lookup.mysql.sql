-- entry: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`account_id`,
  `t`.`no`,
  NULL,
  CONCAT(
    ELT(CRC32(CAST(CAST(`account_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 + 1, 'app_0', 'app_1'),
    '.',
    ELT(
      (
        CRC32(CAST(CAST(`account_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
      ) % 2 + 1,
      'entry_0',
      'entry_1'
    )
  ) AS `sw_home`
FROM `${database}`.`entry_${suffix}` AS `t`
WHERE
  (`t`.`account_id`, `t`.`no`) IN (`${keys}`);
