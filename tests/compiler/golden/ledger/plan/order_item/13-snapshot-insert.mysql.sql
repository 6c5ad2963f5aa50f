-- order_item: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_order_item`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `${database}`.`order_item${suffix}` (
  `item_id`,
  `shop_code`,
  `order_number`,
  `line`,
  `payload`
)
SELECT
  `c`.`item_id`,
  `c`.`shop_code`,
  `c`.`order_number`,
  `c`.`line`,
  `c`.`payload`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`order_item${suffix}` AS `t`
    WHERE
      `t`.`item_id` = `c`.`item_id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_order_item` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`item_id` = `c`.`item_id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`order_item${suffix}` AS `u`
    WHERE
      `u`.`shop_code` = `c`.`shop_code` AND `u`.`order_number` = `c`.`order_number` AND `u`.`line` = `c`.`line`
  );

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `item_id`
  FROM `_sw_gone_order_item`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `${database}`.`order_item${suffix}` AS `t`
  ON `t`.`item_id` = `d`.`item_id`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `item_id`
  FROM `_sw_gone_order_item`
  WHERE
    `sw_part` = @sw_part AND `item_id` <= CAST(@sw_high_1 AS SIGNED)
) AS `d`
STRAIGHT_JOIN `${database}`.`order_item${suffix}` AS `t`
  ON `t`.`item_id` = `d`.`item_id`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `item_id`
  FROM `_sw_gone_order_item`
  WHERE
    `sw_part` = @sw_part AND `item_id` > CAST(@sw_low_1 AS SIGNED)
) AS `d`
STRAIGHT_JOIN `${database}`.`order_item${suffix}` AS `t`
  ON `t`.`item_id` = `d`.`item_id`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `item_id`
  FROM `_sw_gone_order_item`
  WHERE
    `sw_part` = @sw_part
    AND (
      `item_id` > CAST(@sw_low_1 AS SIGNED)
    )
    AND (
      `item_id` <= CAST(@sw_high_1 AS SIGNED)
    )
) AS `d`
STRAIGHT_JOIN `${database}`.`order_item${suffix}` AS `t`
  ON `t`.`item_id` = `d`.`item_id`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
