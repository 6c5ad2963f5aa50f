-- order_line: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`line`,
  NULL,
  COALESCE(
    (
      SELECT
        COALESCE(
          (
            SELECT
              CONCAT(
                ELT(CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) % 2 + 1, 'order_db_0', 'order_db_1'),
                '.',
                ELT((
                  CRC32(CAST(`user_id` AS CHAR CHARACTER SET utf8mb4)) DIV 2
                ) % 2 + 1, 'order_line_0', 'order_line_1')
              )
            FROM `${database}`.`customer` AS `pp`
            WHERE
              `pp`.`code` = `p`.`shop`
          ),
          CONCAT(ELT(0 + 1, 'order_db_0', 'order_db_1'), '.', ELT(0 + 1, 'order_line_0', 'order_line_1'))
        )
      FROM `${database}`.`order_info` AS `p`
      WHERE
        `p`.`shop` = `t`.`shop` AND `p`.`order_no` = `t`.`order_no`
    ),
    CONCAT(ELT(0 + 1, 'order_db_0', 'order_db_1'), '.', ELT(0 + 1, 'order_line_0', 'order_line_1'))
  ) AS `sw_home`
FROM `${database}`.`order_line${suffix}` AS `t`
WHERE
  `t`.`line` IN (`${keys}`);
