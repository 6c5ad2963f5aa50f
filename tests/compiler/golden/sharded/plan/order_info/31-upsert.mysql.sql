-- order_info: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_order_info` AS `t`
  JOIN `_sw_stage_order_info` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`order_no` = `s`.`order_no`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: defer -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_order_info` AS `s`
  JOIN `_sw_stage_order_info` AS `v`
    ON `v`.`sw_batch` = `s`.`sw_batch`
    AND `v`.`sw_part` = `s`.`sw_part`
    AND `v`.`sw_action` IN ('move_out', 'deferred')
  JOIN `order_info${suffix}` AS `t`
    ON `t`.`order_no` = `v`.`order_no` SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = 'upsert'
  AND (
    `t`.`invoice` = `s`.`invoice`
  );

-- statement: delete_early -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `order_info${suffix}` AS `t`
  JOIN `_sw_stage_order_info` AS `s`
    ON (
      `t`.`invoice` = `s`.`invoice`
    )
  JOIN `_sw_stage_order_info` AS `v`
    ON `t`.`order_no` = `v`.`order_no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`order_no` = `s`.`order_no`
  );

-- statement: free_values -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `order_info${suffix}` AS `t`
  JOIN `_sw_stage_order_info` AS `s`
    ON (
      `t`.`invoice` = `s`.`invoice`
    )
  JOIN `_sw_stage_order_info` AS `v`
    ON `t`.`order_no` = `v`.`order_no`
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
  AND `table_name` = 'order_info${suffix}'
  AND COALESCE(`generation_expression`, '') = ''
ORDER BY
  `ordinal_position`;

-- statement: stash_table -- Before the transaction: a table for whole rows, without their other unique keys.
CREATE TEMPORARY TABLE `_sw_park_order_info${suffix}` (
  PRIMARY KEY (`order_no`)
) AS
SELECT
  `${columns}`
FROM `order_info${suffix}`
LIMIT 0;

-- statement: stash -- Rows whose unique values change: kept whole in the stash.
INSERT INTO `_sw_park_order_info${suffix}`
SELECT
  `t`.`${columns}`
FROM `order_info${suffix}` AS `t`
JOIN `_sw_stage_order_info` AS `s`
  ON `t`.`order_no` = `s`.`order_no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`invoice` <=> `s`.`invoice`
  )
  AND NOT (
    `t`.`updated_at` > `s`.`updated_at` AND NOT `t`.`updated_at` <=> `s`.`sw_version_before`
  );

-- statement: remove_stashed -- Stashed rows are deleted.
DELETE   `t` FROM `order_info${suffix}` AS `t`
  JOIN `_sw_park_order_info${suffix}` AS `p`
    ON `t`.`order_no` = `p`.`order_no`;

-- statement: yield_to_stream -- While copying: a row copied from a later position is deleted; its own event restores it.
DELETE   `t` FROM `order_info${suffix}` AS `t`
  JOIN `_sw_stage_order_info` AS `s`
    ON (
      `t`.`invoice` = `s`.`invoice`
    )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`order_no` = `s`.`order_no`
  );

-- statement: update_stash -- Stashed rows get their new values.
UPDATE `_sw_park_order_info${suffix}` AS `t`
  JOIN `_sw_stage_order_info` AS `s`
    ON `t`.`order_no` = `s`.`order_no` SET `t`.`order_no` = `s`.`order_no`, `t`.`buyer_id` = `s`.`buyer_id`, `t`.`invoice` = `s`.`invoice`, `t`.`amount` = `s`.`amount`, `t`.`weight` = `s`.`weight`, `t`.`signature` = `s`.`signature`, `t`.`updated_at` = `s`.`updated_at`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: restore -- Stashed rows are inserted again.
INSERT INTO `order_info${suffix}` (
  `${columns}`
)
SELECT
  `${columns}`
FROM `_sw_park_order_info${suffix}`;

-- statement: drop_stash_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_park_order_info${suffix}`;

-- statement: collision -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`order_no` AS `ours_order_no`,
  `t`.`order_no` AS `theirs_order_no`
FROM `_sw_stage_order_info` AS `s`
JOIN `order_info${suffix}` AS `t`
  ON (
    `t`.`invoice` = `s`.`invoice`
  )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`order_no` = `s`.`order_no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_order_info` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`order_no` = `b`.`order_no`
  )
LIMIT 1000;

-- statement: collision_inside_1 -- The same question about two rows of the batch.
SELECT
  `s`.`order_no` AS `ours_order_no`,
  `t`.`order_no` AS `theirs_order_no`
FROM (
  SELECT DISTINCT
    `s`.`order_no`,
    `s`.`invoice` AS `sw_unique_1`
  FROM `_sw_stage_order_info` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`order_no`,
    `t`.`invoice` AS `sw_unique_1`
  FROM `_sw_stage_order_info` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1`
WHERE
  NOT (
    `t`.`order_no` = `s`.`order_no`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `order_info${suffix}` AS `h`
    WHERE
      `h`.`order_no` = `t`.`order_no` AND `t`.`sw_unique_1` = `h`.`invoice`
  ) DESC
LIMIT 1000;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
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
  `s`.`order_no`,
  `s`.`buyer_id`,
  `s`.`invoice`,
  `s`.`amount`,
  `s`.`weight`,
  `s`.`signature`,
  `s`.`updated_at`
FROM `_sw_stage_order_info` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
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
  `s`.`order_no`,
  `s`.`buyer_id`,
  `s`.`invoice`,
  `s`.`amount`,
  `s`.`weight`,
  `s`.`signature`,
  `s`.`updated_at`
FROM `_sw_stage_order_info` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `order_info${suffix}` AS `t`
    WHERE
      `t`.`order_no` = `s`.`order_no`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `order_info${suffix}` AS `t`
  JOIN `_sw_stage_order_info` AS `s`
    ON `t`.`order_no` = `s`.`order_no` SET `t`.`order_no` = `s`.`order_no`, `t`.`buyer_id` = `s`.`buyer_id`, `t`.`invoice` = `s`.`invoice`, `t`.`amount` = `s`.`amount`, `t`.`weight` = `s`.`weight`, `t`.`signature` = `s`.`signature`, `t`.`updated_at` = `s`.`updated_at`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`updated_at` > `s`.`updated_at` AND NOT `t`.`updated_at` <=> `s`.`sw_version_before`
  );
