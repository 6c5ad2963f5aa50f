-- order_item: 30-delete

-- statement: delete -- @sw_action is 'delete' or 'move_out'.
DELETE   `t` FROM `order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_owner_order_item` AS `o`
    WHERE
      `o`.`sw_part` = `s`.`sw_part`
      AND `o`.`order_id` = `s`.`order_id`
      AND `o`.`line_no` = `s`.`line_no`
      AND `o`.`sw_source` <> `s`.`sw_source`
  );

-- statement: release_owner -- Deleted rows have no owner.
DELETE   `o` FROM `_sw_owner_order_item` AS `o`
  JOIN `_sw_stage_order_item` AS `s`
    ON `o`.`sw_part` = `s`.`sw_part` AND `o`.`order_id` = `s`.`order_id` AND `o`.`line_no` = `s`.`line_no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `o`.`sw_source` = `s`.`sw_source`;

-- statement: staged_parts -- Where a batch has staged quarantined keys.
SELECT DISTINCT
  `sw_part`
FROM `_sw_stage_order_item`
WHERE
  `sw_batch` = @sw_batch AND (`order_id`, `line_no`) IN (`${keys}`);

-- statement: unstage -- Quarantined keys leave the stage of their batch.
DELETE FROM `_sw_stage_order_item`
WHERE
  `sw_batch` = @sw_batch AND (`order_id`, `line_no`) IN (`${keys}`);
