-- order_item: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`item_id`,
  NULL,
  COALESCE(
    (
      SELECT
        CONCAT(
          ELT(CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 4 + 1, 'order_db_0', 'order_db_1', 'order_db_2', 'order_db_3'),
          '.',
          ELT(
            (
              CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 4
            ) % 4 + 1,
            'order_item_0',
            'order_item_1',
            'order_item_2',
            'order_item_3'
          )
        )
      FROM `${database}`.`order_info` AS `p`
      WHERE
        `p`.`shop_code` = `t`.`shop_code` AND `p`.`order_no` = `t`.`order_no`
    ),
    CONCAT(
      ELT(0 + 1, 'order_db_0', 'order_db_1', 'order_db_2', 'order_db_3'),
      '.',
      ELT(0 + 1, 'order_item_0', 'order_item_1', 'order_item_2', 'order_item_3')
    )
  ) AS `sw_home`
FROM `${database}`.`order_item${suffix}` AS `t`
WHERE
  `t`.`item_id` IN (`${keys}`);
