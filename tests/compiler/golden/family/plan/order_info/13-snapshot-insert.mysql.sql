-- order_info: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_order_info`;

-- statement: insert -- Only where no row stands and no tombstone forbids it.
INSERT INTO `order_info${suffix}` (
  `shop_code`,
  `order_no`,
  `user_id`,
  `total`
)
SELECT
  `c`.`shop_code`,
  `c`.`order_no`,
  `c`.`user_id`,
  `c`.`total`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_info${suffix}` AS `t`
    WHERE
      `t`.`shop_code` = `c`.`shop_code` AND `t`.`order_no` = `c`.`order_no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_order_info` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`shop_code` = `c`.`shop_code` AND `d`.`order_no` = `c`.`order_no`
  )
  AND TRUE;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
