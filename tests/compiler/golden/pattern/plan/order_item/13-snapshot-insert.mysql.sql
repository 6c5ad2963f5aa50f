-- order_item: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_order_item`;

-- statement: insert -- Only where no row stands and no tombstone forbids it.
INSERT INTO `order_item${suffix}` (
  `order_id`,
  `line_no`,
  `sku`,
  `kind`
)
SELECT
  `c`.`order_id`,
  `c`.`line_no`,
  `c`.`sku`,
  `c`.`kind`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_item${suffix}` AS `t`
    WHERE
      `t`.`order_id` = `c`.`order_id` AND `t`.`line_no` = `c`.`line_no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_order_item` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`order_id` = `c`.`order_id` AND `d`.`line_no` = `c`.`line_no`
  )
  AND TRUE;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
