-- item: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`item_id`,
  NULL,
  CONCAT(
    ELT(CRC32(CAST(CAST(`user_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 2 + 1, 'shop_0', 'shop_1'),
    '.',
    ELT((
      CRC32(CAST(CAST(`user_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 2
    ) % 2 + 1, 'item_0', 'item_1')
  ) AS `sw_home`
FROM `${database}`.`item_${suffix}` AS `t`
WHERE
  `t`.`item_id` IN (`${keys}`);
