-- order_info: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`shop`,
  `t`.`order_no`,
  NULL,
  COALESCE(
    (
      SELECT
        CONCAT(
          ELT(CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 + 1, 'order_db_0', 'order_db_1'),
          '.',
          ELT((
            CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
          ) % 2 + 1, 'order_info_0', 'order_info_1')
        )
      FROM `${database}`.`customer` AS `p`
      WHERE
        `p`.`code` = `t`.`shop`
    ),
    CONCAT(ELT(0 + 1, 'order_db_0', 'order_db_1'), '.', ELT(0 + 1, 'order_info_0', 'order_info_1'))
  ) AS `sw_home`
FROM `${database}`.`order_info${suffix}` AS `t`
WHERE
  (`t`.`shop`, `t`.`order_no`) IN (`${keys}`);
