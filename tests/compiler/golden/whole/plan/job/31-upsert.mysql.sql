-- job: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_job` AS `t`
  JOIN `_sw_stage_job` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`name` = `s`.`name`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: defer -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_job` AS `s`
  JOIN `_sw_stage_job` AS `v`
    ON `v`.`sw_batch` = `s`.`sw_batch`
    AND `v`.`sw_part` = `s`.`sw_part`
    AND `v`.`sw_action` IN ('move_out', 'deferred')
  JOIN `job${suffix}` AS `t`
    ON `t`.`name` = `v`.`name` SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = 'upsert'
  AND (
    `t`.`id` = `s`.`id`
  );

-- statement: delete_early -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `job${suffix}` AS `t`
  JOIN `_sw_stage_job` AS `s`
    ON (
      `t`.`id` = `s`.`id`
    )
  JOIN `_sw_stage_job` AS `v`
    ON `t`.`name` = `v`.`name`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`name` = `s`.`name`
  );

-- statement: free_values -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `job${suffix}` AS `t`
  JOIN `_sw_stage_job` AS `s`
    ON (
      `t`.`id` = `s`.`id`
    )
  JOIN `_sw_stage_job` AS `v`
    ON `t`.`name` = `v`.`name`
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
  `table_schema` = SCHEMA() AND `table_name` = 'job${suffix}' AND COALESCE(`generation_expression`, '') = ''
ORDER BY
  `ordinal_position`;

-- statement: stash_table -- Before the transaction: a table for whole rows, without their other unique keys.
CREATE TEMPORARY TABLE `_sw_park_job${suffix}` (
  PRIMARY KEY (`name`)
) AS
SELECT
  `${columns}`
FROM `job${suffix}`
LIMIT 0;

-- statement: stash -- Rows whose unique values change: kept whole in the stash.
INSERT INTO `_sw_park_job${suffix}`
SELECT
  `t`.`${columns}`
FROM `job${suffix}` AS `t`
JOIN `_sw_stage_job` AS `s`
  ON `t`.`name` = `s`.`name`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`id` <=> `s`.`id`
  )
  AND TRUE;

-- statement: remove_stashed -- Stashed rows are deleted.
DELETE   `t` FROM `job${suffix}` AS `t`
  JOIN `_sw_park_job${suffix}` AS `p`
    ON `t`.`name` = `p`.`name`;

-- statement: yield_to_stream -- While copying: a row copied from a later position is deleted; its own event restores it.
DELETE   `t` FROM `job${suffix}` AS `t`
  JOIN `_sw_stage_job` AS `s`
    ON (
      `t`.`id` = `s`.`id`
    )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`name` = `s`.`name`
  );

-- statement: update_stash -- Stashed rows get their new values.
UPDATE `_sw_park_job${suffix}` AS `t`
  JOIN `_sw_stage_job` AS `s`
    ON `t`.`name` = `s`.`name` SET `t`.`id` = `s`.`id`, `t`.`name` = `s`.`name`, `t`.`runs_at` = `s`.`runs_at`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: restore -- Stashed rows are inserted again.
INSERT INTO `job${suffix}` (
  `${columns}`
)
SELECT
  `${columns}`
FROM `_sw_park_job${suffix}`;

-- statement: drop_stash_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_park_job${suffix}`;

-- statement: collision -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`name` AS `ours_name`,
  `t`.`name` AS `theirs_name`
FROM `_sw_stage_job` AS `s`
JOIN `job${suffix}` AS `t`
  ON (
    `t`.`id` = `s`.`id`
  )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`name` = `s`.`name`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_job` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`name` = `b`.`name`
  )
LIMIT 1000;

-- statement: collision_inside_1 -- The same question about two rows of the batch.
SELECT
  `s`.`name` AS `ours_name`,
  `t`.`name` AS `theirs_name`
FROM (
  SELECT DISTINCT
    `s`.`name`,
    `s`.`id` AS `sw_unique_1`
  FROM `_sw_stage_job` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`name`,
    `t`.`id` AS `sw_unique_1`
  FROM `_sw_stage_job` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1`
WHERE
  NOT (
    `t`.`name` = `s`.`name`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `job${suffix}` AS `h`
    WHERE
      `h`.`name` = `t`.`name` AND `t`.`sw_unique_1` = `h`.`id`
  ) DESC
LIMIT 1000;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `job${suffix}` (
  `id`,
  `name`,
  `runs_at`
)
SELECT
  `s`.`id`,
  `s`.`name`,
  `s`.`runs_at`
FROM `_sw_stage_job` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `job${suffix}` (
  `id`,
  `name`,
  `runs_at`
)
SELECT
  `s`.`id`,
  `s`.`name`,
  `s`.`runs_at`
FROM `_sw_stage_job` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `job${suffix}` AS `t`
    WHERE
      `t`.`name` = `s`.`name`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `job${suffix}` AS `t`
  JOIN `_sw_stage_job` AS `s`
    ON `t`.`name` = `s`.`name` SET `t`.`id` = `s`.`id`, `t`.`name` = `s`.`name`, `t`.`runs_at` = `s`.`runs_at`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
