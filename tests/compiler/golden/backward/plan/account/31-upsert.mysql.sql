-- account: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_account` AS `t`
  JOIN `_sw_stage_account` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`id` = `s`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: defer -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_account` AS `s`
  JOIN `_sw_stage_account` AS `v`
    ON `v`.`sw_batch` = `s`.`sw_batch`
    AND `v`.`sw_part` = `s`.`sw_part`
    AND `v`.`sw_action` IN ('move_out', 'deferred')
  JOIN `account${suffix}` AS `t`
    ON `t`.`id` = `v`.`id` SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = 'upsert'
  AND (
    `t`.`email` = `s`.`email` AND `t`.`id` = `s`.`id`
  );

-- statement: delete_early -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `account${suffix}` AS `t`
  JOIN `_sw_stage_account` AS `s`
    ON (
      `t`.`email` = `s`.`email` AND `t`.`id` = `s`.`id`
    )
  JOIN `_sw_stage_account` AS `v`
    ON `t`.`id` = `v`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: free_values -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `account${suffix}` AS `t`
  JOIN `_sw_stage_account` AS `s`
    ON (
      `t`.`email` = `s`.`email` AND `t`.`id` = `s`.`id`
    )
  JOIN `_sw_stage_account` AS `v`
    ON `t`.`id` = `v`.`id`
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
  `table_schema` = SCHEMA() AND `table_name` = 'account${suffix}' AND COALESCE(`generation_expression`, '') = ''
ORDER BY
  `ordinal_position`;

-- statement: stash_table -- Before the transaction: a table for whole rows, without their other unique keys.
CREATE TEMPORARY TABLE `_sw_park_account${suffix}` (
  PRIMARY KEY (`id`)
) AS
SELECT
  `${columns}`
FROM `account${suffix}`
LIMIT 0;

-- statement: stash -- Rows whose unique values change: kept whole in the stash.
INSERT INTO `_sw_park_account${suffix}`
SELECT
  `t`.`${columns}`
FROM `account${suffix}` AS `t`
JOIN `_sw_stage_account` AS `s`
  ON `t`.`id` = `s`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`email` <=> `s`.`email` AND `t`.`id` <=> `s`.`id`
  )
  AND TRUE;

-- statement: remove_stashed -- Stashed rows are deleted.
DELETE   `t` FROM `account${suffix}` AS `t`
  JOIN `_sw_park_account${suffix}` AS `p`
    ON `t`.`id` = `p`.`id`;

-- statement: yield_to_stream -- While copying: a row copied from a later position is deleted; its own event restores it.
DELETE   `t` FROM `account${suffix}` AS `t`
  JOIN `_sw_stage_account` AS `s`
    ON (
      `t`.`email` = `s`.`email` AND `t`.`id` = `s`.`id`
    )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: update_stash -- Stashed rows get their new values.
UPDATE `_sw_park_account${suffix}` AS `t`
  JOIN `_sw_stage_account` AS `s`
    ON `t`.`id` = `s`.`id` SET `t`.`id` = `s`.`id`, `t`.`email` = `s`.`email`, `t`.`kind` = `s`.`kind`, `t`.`credit_limit` = `s`.`credit_limit`, `t`.`born` = `s`.`born`, `t`.`phone` = `s`.`phone`, `t`.`active` = `s`.`active`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: restore -- Stashed rows are inserted again.
INSERT INTO `account${suffix}` (
  `${columns}`
)
SELECT
  `${columns}`
FROM `_sw_park_account${suffix}`;

-- statement: drop_stash_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_park_account${suffix}`;

-- statement: collision -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM `_sw_stage_account` AS `s`
JOIN `account${suffix}` AS `t`
  ON (
    `t`.`email` = `s`.`email` AND `t`.`id` = `s`.`id`
  )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`id` = `s`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_account` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`id` = `b`.`id`
  )
LIMIT 1000;

-- statement: collision_inside_1 -- The same question about two rows of the batch.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM (
  SELECT DISTINCT
    `s`.`id`,
    `s`.`email` AS `sw_unique_1`,
    `s`.`id` AS `sw_unique_2`
  FROM `_sw_stage_account` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`id`,
    `t`.`email` AS `sw_unique_1`,
    `t`.`id` AS `sw_unique_2`
  FROM `_sw_stage_account` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1` AND `t`.`sw_unique_2` = `s`.`sw_unique_2`
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `account${suffix}` AS `h`
    WHERE
      `h`.`id` = `t`.`id` AND `t`.`sw_unique_1` = `h`.`email` AND `t`.`sw_unique_2` = `h`.`id`
  ) DESC
LIMIT 1000;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `account${suffix}` (
  `id`,
  `email`,
  `kind`,
  `credit_limit`,
  `born`,
  `phone`,
  `active`
)
SELECT
  `s`.`id`,
  `s`.`email`,
  `s`.`kind`,
  `s`.`credit_limit`,
  `s`.`born`,
  `s`.`phone`,
  `s`.`active`
FROM `_sw_stage_account` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `account${suffix}` (
  `id`,
  `email`,
  `kind`,
  `credit_limit`,
  `born`,
  `phone`,
  `active`
)
SELECT
  `s`.`id`,
  `s`.`email`,
  `s`.`kind`,
  `s`.`credit_limit`,
  `s`.`born`,
  `s`.`phone`,
  `s`.`active`
FROM `_sw_stage_account` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `account${suffix}` AS `t`
    WHERE
      `t`.`id` = `s`.`id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `account${suffix}` AS `t`
  JOIN `_sw_stage_account` AS `s`
    ON `t`.`id` = `s`.`id` SET `t`.`id` = `s`.`id`, `t`.`email` = `s`.`email`, `t`.`kind` = `s`.`kind`, `t`.`credit_limit` = `s`.`credit_limit`, `t`.`born` = `s`.`born`, `t`.`phone` = `s`.`phone`, `t`.`active` = `s`.`active`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
