-- customer: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`code`,
  NULL,
  CONCAT(
    ELT(CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 + 1, 'order_db_0', 'order_db_1'),
    '.',
    ELT((
      CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
    ) % 2 + 1, 'customer_0', 'customer_1')
  ) AS `sw_home`
FROM `${database}`.`customer${suffix}` AS `t`
WHERE
  `t`.`code` IN (`${keys}`);
