-- users: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  NULL,
  CONCAT(
    ELT(CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 + 1, 'shop_0', 'shop_1'),
    '.',
    ELT((
      CRC32(CAST(CAST(`id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
    ) % 2 + 1, 'users_0', 'users_1')
  ) AS `sw_home`
FROM `${database}`.`users${suffix}` AS `t`
WHERE
  `t`.`id` IN (`${keys}`);
