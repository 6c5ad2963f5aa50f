-- message: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`account_id`,
  `t`.`no`,
  NULL,
  COALESCE(
    (
      SELECT
        CONCAT(
          ELT(CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 + 1, 'app_0', 'app_1'),
          '.',
          ELT((
            CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
          ) % 2 + 1, 'message_0', 'message_1')
        )
      FROM `${database}`.`account` AS `p`
      WHERE
        `p`.`id` = `t`.`account_id`
    ),
    CONCAT(ELT(0 + 1, 'app_0', 'app_1'), '.', ELT(0 + 1, 'message_0', 'message_1'))
  ) AS `sw_home`
FROM `${database}`.`message${suffix}` AS `t`
WHERE
  (`t`.`account_id`, `t`.`no`) IN (`${keys}`);
