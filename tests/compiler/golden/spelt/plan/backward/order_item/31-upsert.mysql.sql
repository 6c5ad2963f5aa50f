-- order_item: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`order_item${suffix}` (
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
INSERT INTO `${database}`.`order_item${suffix}` (
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
    FROM `${database}`.`order_item${suffix}` AS `t`
    WHERE
      `t`.`item` = `s`.`item`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON `t`.`item` = `s`.`item` SET `t`.`item` = `s`.`item`, `t`.`shop` = `s`.`shop`, `t`.`order_no` = `s`.`order_no`, `t`.`note` = `s`.`note`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
