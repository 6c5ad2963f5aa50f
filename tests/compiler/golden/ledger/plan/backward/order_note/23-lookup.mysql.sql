-- order_note: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`note_id`,
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
            'order_note_0',
            'order_note_1',
            'order_note_2',
            'order_note_3'
          )
        )
      FROM `${database}`.`order_info` AS `p`
      WHERE
        `p`.`shop_code` = `t`.`shop` AND `p`.`order_no` = `t`.`no`
    ),
    CONCAT(
      ELT(0 + 1, 'order_db_0', 'order_db_1', 'order_db_2', 'order_db_3'),
      '.',
      ELT(0 + 1, 'order_note_0', 'order_note_1', 'order_note_2', 'order_note_3')
    )
  ) AS `sw_home`
FROM `${database}`.`order_note${suffix}` AS `t`
WHERE
  `t`.`note_id` IN (`${keys}`);
