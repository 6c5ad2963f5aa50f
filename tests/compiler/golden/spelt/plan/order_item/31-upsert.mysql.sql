-- order_item: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_order_item` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`item` = `s`.`item`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `order_item${suffix}` (
  `item`,
  `shop`,
  `order_no`,
  `note`
)
SELECT
  `s`.`item`,
  `s`.`shop`,
  `s`.`order_no`,
  `s`.`note`
FROM `_sw_stage_order_item` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `order_item${suffix}` (
  `item`,
  `shop`,
  `order_no`,
  `note`
)
SELECT
  `s`.`item`,
  `s`.`shop`,
  `s`.`order_no`,
  `s`.`note`
FROM `_sw_stage_order_item` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_item${suffix}` AS `t`
    WHERE
      `t`.`item` = `s`.`item`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON `t`.`item` = `s`.`item` SET `t`.`item` = `s`.`item`, `t`.`shop` = `s`.`shop`, `t`.`order_no` = `s`.`order_no`, `t`.`note` = `s`.`note`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
