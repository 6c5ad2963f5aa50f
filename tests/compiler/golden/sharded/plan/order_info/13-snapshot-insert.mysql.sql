-- order_info: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_order_info`;

-- statement: insert -- Only where no row stands and no tombstone forbids it.
INSERT INTO `order_info${suffix}` (
  `order_no`,
  `buyer_id`,
  `invoice`,
  `amount`,
  `weight`,
  `signature`,
  `updated_at`
)
SELECT
  `c`.`order_no`,
  `c`.`buyer_id`,
  `c`.`invoice`,
  `c`.`amount`,
  `c`.`weight`,
  `c`.`signature`,
  `c`.`updated_at`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_info${suffix}` AS `t`
    WHERE
      `t`.`order_no` = `c`.`order_no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_order_info` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`order_no` = `c`.`order_no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_info${suffix}` AS `u`
    WHERE
      `u`.`invoice` = `c`.`invoice`
  );

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
