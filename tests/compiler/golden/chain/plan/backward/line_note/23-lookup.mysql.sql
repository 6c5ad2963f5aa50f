-- line_note: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`note_id`,
  NULL,
  COALESCE(
    (
      SELECT
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
                      ) % 2 + 1, 'line_note_0', 'line_note_1')
                    )
                  FROM `${database}`.`customer` AS `ppp`
                  WHERE
                    `ppp`.`code` = `pp`.`shop`
                ),
                CONCAT(ELT(0 + 1, 'order_db_0', 'order_db_1'), '.', ELT(0 + 1, 'line_note_0', 'line_note_1'))
              )
            FROM `${database}`.`order_info` AS `pp`
            WHERE
              `pp`.`shop` = `p`.`shop` AND `pp`.`order_no` = `p`.`order_no`
          ),
          CONCAT(ELT(0 + 1, 'order_db_0', 'order_db_1'), '.', ELT(0 + 1, 'line_note_0', 'line_note_1'))
        )
      FROM `${database}`.`order_line` AS `p`
      WHERE
        `p`.`line` = `t`.`line`
    ),
    CONCAT(ELT(0 + 1, 'order_db_0', 'order_db_1'), '.', ELT(0 + 1, 'line_note_0', 'line_note_1'))
  ) AS `sw_home`
FROM `${database}`.`line_note${suffix}` AS `t`
WHERE
  `t`.`note_id` IN (`${keys}`);
