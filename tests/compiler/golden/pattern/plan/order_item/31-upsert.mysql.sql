-- order_item: 31-upsert

-- statement: owner_conflicts -- Keys that come from one source table while another one owns the row.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`order_id` AS `sw_key_1`,
  `s`.`line_no` AS `sw_key_2`
FROM `_sw_stage_order_item` AS `s`
JOIN `_sw_owner_order_item` AS `o`
  ON `o`.`sw_part` = `s`.`sw_part` AND `o`.`order_id` = `s`.`order_id` AND `o`.`line_no` = `s`.`line_no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `o`.`sw_source` <> `s`.`sw_source`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_order_item` AS `d`
    WHERE
      `d`.`sw_batch` = @sw_batch
      AND `d`.`sw_part` = @sw_part
      AND `d`.`sw_action` IN ('delete', 'move_out')
      AND `d`.`sw_source` = `o`.`sw_source`
      AND `d`.`order_id` = `s`.`order_id`
      AND `d`.`line_no` = `s`.`line_no`
  );

-- statement: batch_conflicts -- Keys that come from two source tables in one batch.
SELECT
  `v`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`order_id` AS `sw_key_1`,
  `s`.`line_no` AS `sw_key_2`
FROM `_sw_stage_order_item` AS `s`
JOIN `_sw_stage_order_item` AS `v`
  ON `v`.`sw_batch` = `s`.`sw_batch`
  AND `v`.`sw_part` = `s`.`sw_part`
  AND `v`.`sw_source` < `s`.`sw_source`
  AND `v`.`order_id` = `s`.`order_id`
  AND `v`.`line_no` = `s`.`line_no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_action` IN ('upsert', 'deferred');

-- statement: skip_incoming -- The change of a source that does not have the key any more has no effect.
UPDATE `_sw_stage_order_item` AS `s` SET `s`.`sw_action` = 'obsolete'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` IN ('upsert', 'deferred')
  AND `s`.`sw_source` = @sw_source
  AND `s`.`order_id` = CAST(@sw_key_1 AS SIGNED)
  AND `s`.`line_no` = CAST(@sw_key_2 AS UNSIGNED);

-- statement: defer -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_order_item` AS `s`
  JOIN `_sw_stage_order_item` AS `v`
    ON `v`.`sw_batch` = `s`.`sw_batch`
    AND `v`.`sw_part` = `s`.`sw_part`
    AND `v`.`sw_action` IN ('move_out', 'deferred')
  JOIN `order_item${suffix}` AS `t`
    ON `t`.`order_id` = `v`.`order_id` AND `t`.`line_no` = `v`.`line_no` SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = 'upsert'
  AND (
    `t`.`order_id` = `s`.`order_id` AND `t`.`sku` = `s`.`sku`
  );

-- statement: delete_early -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON (
      `t`.`order_id` = `s`.`order_id` AND `t`.`sku` = `s`.`sku`
    )
  JOIN `_sw_stage_order_item` AS `v`
    ON `t`.`order_id` = `v`.`order_id` AND `t`.`line_no` = `v`.`line_no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no`
  );

-- statement: free_values -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON (
      `t`.`order_id` = `s`.`order_id` AND `t`.`sku` = `s`.`sku`
    )
  JOIN `_sw_stage_order_item` AS `v`
    ON `t`.`order_id` = `v`.`order_id` AND `t`.`line_no` = `v`.`line_no`
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
  `table_schema` = SCHEMA()
  AND `table_name` = 'order_item${suffix}'
  AND COALESCE(`generation_expression`, '') = ''
ORDER BY
  `ordinal_position`;

-- statement: stash_table -- Before the transaction: a table for whole rows, without their other unique keys.
CREATE TEMPORARY TABLE `_sw_park_order_item${suffix}` (
  PRIMARY KEY (`order_id`, `line_no`)
) AS
SELECT
  `${columns}`
FROM `order_item${suffix}`
LIMIT 0;

-- statement: stash -- Rows whose unique values change: kept whole in the stash.
INSERT INTO `_sw_park_order_item${suffix}`
SELECT
  `t`.`${columns}`
FROM `order_item${suffix}` AS `t`
JOIN `_sw_stage_order_item` AS `s`
  ON `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`order_id` <=> `s`.`order_id` AND `t`.`sku` <=> `s`.`sku`
  )
  AND TRUE;

-- statement: remove_stashed -- Stashed rows are deleted.
DELETE   `t` FROM `order_item${suffix}` AS `t`
  JOIN `_sw_park_order_item${suffix}` AS `p`
    ON `t`.`order_id` = `p`.`order_id` AND `t`.`line_no` = `p`.`line_no`;

-- statement: yield_to_stream -- While copying: a row copied from a later position is deleted; its own event restores it.
DELETE   `t` FROM `order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON (
      `t`.`order_id` = `s`.`order_id` AND `t`.`sku` = `s`.`sku`
    )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_owner_order_item` AS `o`
    WHERE
      `o`.`sw_part` = `s`.`sw_part`
      AND `o`.`order_id` = `t`.`order_id`
      AND `o`.`line_no` = `t`.`line_no`
      AND `o`.`sw_source` <> `s`.`sw_source`
  );

-- statement: update_stash -- Stashed rows get their new values.
UPDATE `_sw_park_order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no` SET `t`.`order_id` = `s`.`order_id`, `t`.`line_no` = `s`.`line_no`, `t`.`sku` = `s`.`sku`, `t`.`kind` = `s`.`kind`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: restore -- Stashed rows are inserted again.
INSERT INTO `order_item${suffix}` (
  `${columns}`
)
SELECT
  `${columns}`
FROM `_sw_park_order_item${suffix}`;

-- statement: drop_stash_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_park_order_item${suffix}`;

-- statement: collision -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`order_id` AS `ours_order_id`,
  `s`.`line_no` AS `ours_line_no`,
  `t`.`order_id` AS `theirs_order_id`,
  `t`.`line_no` AS `theirs_line_no`
FROM `_sw_stage_order_item` AS `s`
JOIN `order_item${suffix}` AS `t`
  ON (
    `t`.`order_id` = `s`.`order_id` AND `t`.`sku` = `s`.`sku`
  )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_order_item` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch
      AND `b`.`sw_part` = @sw_part
      AND `t`.`order_id` = `b`.`order_id`
      AND `t`.`line_no` = `b`.`line_no`
  )
LIMIT 1000;

-- statement: collision_inside_1 -- The same question about two rows of the batch.
SELECT
  `s`.`order_id` AS `ours_order_id`,
  `s`.`line_no` AS `ours_line_no`,
  `t`.`order_id` AS `theirs_order_id`,
  `t`.`line_no` AS `theirs_line_no`
FROM (
  SELECT DISTINCT
    `s`.`order_id`,
    `s`.`line_no`,
    `s`.`order_id` AS `sw_unique_1`,
    `s`.`sku` AS `sw_unique_2`
  FROM `_sw_stage_order_item` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`order_id`,
    `t`.`line_no`,
    `t`.`order_id` AS `sw_unique_1`,
    `t`.`sku` AS `sw_unique_2`
  FROM `_sw_stage_order_item` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1` AND `t`.`sw_unique_2` = `s`.`sw_unique_2`
WHERE
  NOT (
    `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `order_item${suffix}` AS `h`
    WHERE
      `h`.`order_id` = `t`.`order_id`
      AND `h`.`line_no` = `t`.`line_no`
      AND `t`.`sw_unique_1` = `h`.`order_id`
      AND `t`.`sw_unique_2` = `h`.`sku`
  ) DESC
LIMIT 1000;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `order_item${suffix}` (
  `order_id`,
  `line_no`,
  `sku`,
  `kind`
)
SELECT
  `s`.`order_id`,
  `s`.`line_no`,
  `s`.`sku`,
  `s`.`kind`
FROM `_sw_stage_order_item` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `order_item${suffix}` (
  `order_id`,
  `line_no`,
  `sku`,
  `kind`
)
SELECT
  `s`.`order_id`,
  `s`.`line_no`,
  `s`.`sku`,
  `s`.`kind`
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
      `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `order_item${suffix}` AS `t`
  JOIN `_sw_stage_order_item` AS `s`
    ON `t`.`order_id` = `s`.`order_id` AND `t`.`line_no` = `s`.`line_no` SET `t`.`order_id` = `s`.`order_id`, `t`.`line_no` = `s`.`line_no`, `t`.`sku` = `s`.`sku`, `t`.`kind` = `s`.`kind`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;

-- statement: hold_owner -- While chunks are written beside: no row changes its owner from here on.
INSERT INTO `_sw_owner_order_item` (
  `sw_part`,
  `order_id`,
  `line_no`,
  `sw_source`
)
SELECT
  `s`.`sw_part`,
  `s`.`order_id`,
  `s`.`line_no`,
  `s`.`sw_source`
FROM `_sw_stage_order_item` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action ON DUPLICATE KEY UPDATE `sw_part` = `s`.`sw_part`;

-- statement: late_conflicts -- Then: those that a chunk has written since owner_conflicts. The transaction begins again.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`order_id` AS `sw_key_1`,
  `s`.`line_no` AS `sw_key_2`
FROM `_sw_stage_order_item` AS `s`
JOIN `_sw_owner_order_item` AS `o`
  ON `o`.`sw_part` = `s`.`sw_part` AND `o`.`order_id` = `s`.`order_id` AND `o`.`line_no` = `s`.`line_no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `o`.`sw_source` <> `s`.`sw_source`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_order_item` AS `d`
    WHERE
      `d`.`sw_batch` = @sw_batch
      AND `d`.`sw_part` = @sw_part
      AND `d`.`sw_action` IN ('delete', 'move_out')
      AND `d`.`sw_source` = `o`.`sw_source`
      AND `d`.`order_id` = `s`.`order_id`
      AND `d`.`line_no` = `s`.`line_no`
  )   FOR UPDATE;

-- statement: set_owner -- The source tables that the rows came from.
INSERT INTO `_sw_owner_order_item` (
  `sw_part`,
  `order_id`,
  `line_no`,
  `sw_source`
)
SELECT
  `s`.`sw_part`,
  `s`.`order_id`,
  `s`.`line_no`,
  `s`.`sw_source`
FROM `_sw_stage_order_item` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action ON DUPLICATE KEY UPDATE `sw_source` = `s`.`sw_source`;
