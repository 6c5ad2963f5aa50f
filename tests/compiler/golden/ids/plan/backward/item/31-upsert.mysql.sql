-- item: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`item_${suffix}` (
  `item_id`,
  `user_id`
)
SELECT
  `s`.`item_id`,
  `s`.`user_id`
FROM `_sw_stage_item` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`item_${suffix}` (
  `item_id`,
  `user_id`
)
SELECT
  `s`.`item_id`,
  `s`.`user_id`
FROM `_sw_stage_item` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`item_${suffix}` AS `t`
    WHERE
      `t`.`item_id` = `s`.`item_id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`item_${suffix}` AS `t`
  JOIN `_sw_stage_item` AS `s`
    ON `t`.`item_id` = `s`.`item_id` SET `t`.`item_id` = `s`.`item_id`, `t`.`user_id` = `s`.`user_id`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
