-- order_item: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_order_item` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`item_id` = `s`.`item_id`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: defer -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_order_item` AS `s`
  JOIN `_sw_stage_order_item` AS `v`
    ON `v`.`sw_batch` = `s`.`sw_batch`
    AND `v`.`sw_part` = `s`.`sw_part`
    AND `v`.`sw_action` IN ('move_out', 'deferred')
  JOIN `${database}`.`order_item${suffix}` AS `t`
    ON `t`.`item_id` = `v`.`item_id` SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = 'upsert'
  AND (
    `t`.`shop_code` = `s`.`shop_code` AND `t`.`order_number` = `s`.`order_number` AND `t`.`line` = `s`.`line`
  );

-- statement: delete_early -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `${database}`.`order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON (
      `t`.`shop_code` = `s`.`shop_code` AND `t`.`order_number` = `s`.`order_number` AND `t`.`line` = `s`.`line`
    )
  JOIN `_sw_stage_order_item` AS `v`
    ON `t`.`item_id` = `v`.`item_id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`item_id` = `s`.`item_id`
  );

-- statement: free_values -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `${database}`.`order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON (
      `t`.`shop_code` = `s`.`shop_code` AND `t`.`order_number` = `s`.`order_number` AND `t`.`line` = `s`.`line`
    )
  JOIN `_sw_stage_order_item` AS `v`
    ON `t`.`item_id` = `v`.`item_id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'move_out';

-- statement: written_columns -- Before the transaction: `${columns}`, all that the table has and that take values.
SELECT
  `column_name`
FROM `information_schema`.`columns`
WHERE
  `table_schema` = '${database}'
  AND `table_name` = 'order_item${suffix}'
  AND COALESCE(`generation_expression`, '') = ''
ORDER BY
  `ordinal_position`;

-- statement: stash_table -- Before the transaction: a table for whole rows, without their other unique keys.
CREATE TEMPORARY TABLE `_sw_park_order_item${suffix}` (
  PRIMARY KEY (`item_id`)
) AS
SELECT
  `${columns}`
FROM `${database}`.`order_item${suffix}`
LIMIT 0;

-- statement: stash -- Rows whose unique values change: kept whole in the stash.
INSERT INTO `_sw_park_order_item${suffix}`
SELECT
  `t`.`${columns}`
FROM `${database}`.`order_item${suffix}` AS `t`
JOIN `_sw_stage_order_item` AS `s`
  ON `t`.`item_id` = `s`.`item_id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`line` <=> `s`.`line` AND `t`.`order_number` <=> `s`.`order_number` AND `t`.`shop_code` <=> `s`.`shop_code`
  )
  AND TRUE;

-- statement: remove_stashed -- Stashed rows are deleted.
DELETE   `t` FROM `${database}`.`order_item${suffix}` AS `t`
  JOIN `_sw_park_order_item${suffix}` AS `p`
    ON `t`.`item_id` = `p`.`item_id`;

-- statement: yield_to_stream -- While copying: a row copied from a later position is deleted; its own event restores it.
DELETE   `t` FROM `${database}`.`order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON (
      `t`.`shop_code` = `s`.`shop_code` AND `t`.`order_number` = `s`.`order_number` AND `t`.`line` = `s`.`line`
    )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`item_id` = `s`.`item_id`
  );

-- statement: update_stash -- Stashed rows get their new values.
UPDATE `_sw_park_order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON `t`.`item_id` = `s`.`item_id` SET `t`.`item_id` = `s`.`item_id`, `t`.`shop_code` = `s`.`shop_code`, `t`.`order_number` = `s`.`order_number`, `t`.`line` = `s`.`line`, `t`.`payload` = `s`.`payload`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: restore -- Stashed rows are inserted again.
INSERT INTO `${database}`.`order_item${suffix}` (
  `${columns}`
)
SELECT
  `${columns}`
FROM `_sw_park_order_item${suffix}`;

-- statement: drop_stash_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_park_order_item${suffix}`;

-- statement: collision -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`item_id` AS `ours_item_id`,
  `t`.`item_id` AS `theirs_item_id`
FROM `_sw_stage_order_item` AS `s`
JOIN `${database}`.`order_item${suffix}` AS `t`
  ON (
    `t`.`shop_code` = `s`.`shop_code` AND `t`.`order_number` = `s`.`order_number` AND `t`.`line` = `s`.`line`
  )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`item_id` = `s`.`item_id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_order_item` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`item_id` = `b`.`item_id`
  )
LIMIT 1000;

-- statement: collision_inside_1 -- The same question about two rows of the batch.
SELECT
  `s`.`item_id` AS `ours_item_id`,
  `t`.`item_id` AS `theirs_item_id`
FROM (
  SELECT DISTINCT
    `s`.`item_id`,
    `s`.`shop_code` AS `sw_unique_1`,
    `s`.`order_number` AS `sw_unique_2`,
    `s`.`line` AS `sw_unique_3`
  FROM `_sw_stage_order_item` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`item_id`,
    `t`.`shop_code` AS `sw_unique_1`,
    `t`.`order_number` AS `sw_unique_2`,
    `t`.`line` AS `sw_unique_3`
  FROM `_sw_stage_order_item` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1`
  AND `t`.`sw_unique_2` = `s`.`sw_unique_2`
  AND `t`.`sw_unique_3` = `s`.`sw_unique_3`
WHERE
  NOT (
    `t`.`item_id` = `s`.`item_id`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `${database}`.`order_item${suffix}` AS `h`
    WHERE
      `h`.`item_id` = `t`.`item_id`
      AND `t`.`sw_unique_1` = `h`.`shop_code`
      AND `t`.`sw_unique_2` = `h`.`order_number`
      AND `t`.`sw_unique_3` = `h`.`line`
  ) DESC
LIMIT 1000;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`order_item${suffix}` (
  `item_id`,
  `shop_code`,
  `order_number`,
  `line`,
  `payload`
)
SELECT
  `s`.`item_id`,
  `s`.`shop_code`,
  `s`.`order_number`,
  `s`.`line`,
  `s`.`payload`
FROM `_sw_stage_order_item` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`order_item${suffix}` (
  `item_id`,
  `shop_code`,
  `order_number`,
  `line`,
  `payload`
)
SELECT
  `s`.`item_id`,
  `s`.`shop_code`,
  `s`.`order_number`,
  `s`.`line`,
  `s`.`payload`
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
      `t`.`item_id` = `s`.`item_id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON `t`.`item_id` = `s`.`item_id` SET `t`.`item_id` = `s`.`item_id`, `t`.`shop_code` = `s`.`shop_code`, `t`.`order_number` = `s`.`order_number`, `t`.`line` = `s`.`line`, `t`.`payload` = `s`.`payload`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
