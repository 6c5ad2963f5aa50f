-- order_info: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`order_no`,
  NULL,
  CONCAT(
    ELT(
      CRC32(CAST(CAST(`buyer_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) % 16 + 1,
      'order_db_00',
      'order_db_01',
      'order_db_02',
      'order_db_03',
      'order_db_04',
      'order_db_05',
      'order_db_06',
      'order_db_07',
      'order_db_08',
      'order_db_09',
      'order_db_10',
      'order_db_11',
      'order_db_12',
      'order_db_13',
      'order_db_14',
      'order_db_15'
    ),
    '.',
    ELT(
      (
        CRC32(CAST(CAST(`buyer_id` AS UNSIGNED) AS CHAR CHARACTER SET utf8mb4)) DIV 16
      ) % 16 + 1,
      'order_info_00',
      'order_info_01',
      'order_info_02',
      'order_info_03',
      'order_info_04',
      'order_info_05',
      'order_info_06',
      'order_info_07',
      'order_info_08',
      'order_info_09',
      'order_info_10',
      'order_info_11',
      'order_info_12',
      'order_info_13',
      'order_info_14',
      'order_info_15'
    )
  ) AS `sw_home`
FROM `${database}`.`order_info${suffix}` AS `t`
WHERE
  `t`.`order_no` IN (`${keys}`);
