-- entry: 31-upsert

-- statement: owner_conflicts -- Keys that come from one source table while another one owns the row.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`account_id` AS `sw_key_1`,
  `s`.`no` AS `sw_key_2`
FROM `_sw_stage_entry` AS `s`
JOIN `_sw_owner_entry` AS `o`
  ON `o`.`sw_part` = `s`.`sw_part` AND `o`.`account_id` = `s`.`account_id` AND `o`.`no` = `s`.`no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `o`.`sw_source` <> `s`.`sw_source`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_entry` AS `d`
    WHERE
      `d`.`sw_batch` = @sw_batch
      AND `d`.`sw_part` = @sw_part
      AND `d`.`sw_action` IN ('delete', 'move_out')
      AND `d`.`sw_source` = `o`.`sw_source`
      AND `d`.`account_id` = `s`.`account_id`
      AND `d`.`no` = `s`.`no`
  );

-- statement: batch_conflicts -- Keys that come from two source tables in one batch.
SELECT
  `v`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`account_id` AS `sw_key_1`,
  `s`.`no` AS `sw_key_2`
FROM `_sw_stage_entry` AS `s`
JOIN `_sw_stage_entry` AS `v`
  ON `v`.`sw_batch` = `s`.`sw_batch`
  AND `v`.`sw_part` = `s`.`sw_part`
  AND `v`.`sw_source` < `s`.`sw_source`
  AND `v`.`account_id` = `s`.`account_id`
  AND `v`.`no` = `s`.`no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_action` IN ('upsert', 'deferred');

-- statement: skip_incoming -- The change of a source that does not have the key any more has no effect.
UPDATE `_sw_stage_entry` AS `s` SET `s`.`sw_action` = 'obsolete'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` IN ('upsert', 'deferred')
  AND `s`.`sw_source` = @sw_source
  AND `s`.`account_id` = CAST(@sw_key_1 AS UNSIGNED)
  AND `s`.`no` = CAST(@sw_key_2 AS SIGNED);

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_entry` AS `t`
  JOIN `_sw_stage_entry` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part`
    AND (
      `t`.`account_id` = `s`.`account_id` AND `t`.`no` = `s`.`no`
    )
    AND `t`.`sw_source` = `s`.`sw_source`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `entry${suffix}` (
  `no`,
  `account_id`,
  `text`
)
SELECT
  `s`.`no`,
  `s`.`account_id`,
  `s`.`text`
FROM `_sw_stage_entry` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `entry${suffix}` (
  `no`,
  `account_id`,
  `text`
)
SELECT
  `s`.`no`,
  `s`.`account_id`,
  `s`.`text`
FROM `_sw_stage_entry` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `entry${suffix}` AS `t`
    WHERE
      `t`.`account_id` = `s`.`account_id` AND `t`.`no` = `s`.`no`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `entry${suffix}` AS `t`
  JOIN `_sw_stage_entry` AS `s`
    ON `t`.`account_id` = `s`.`account_id` AND `t`.`no` = `s`.`no` SET `t`.`no` = `s`.`no`, `t`.`account_id` = `s`.`account_id`, `t`.`text` = `s`.`text`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;

-- statement: hold_owner -- While chunks are written beside: no row changes its owner from here on.
INSERT INTO `_sw_owner_entry` (
  `sw_part`,
  `account_id`,
  `no`,
  `sw_source`
)
SELECT
  `s`.`sw_part`,
  `s`.`account_id`,
  `s`.`no`,
  `s`.`sw_source`
FROM `_sw_stage_entry` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action ON DUPLICATE KEY UPDATE `sw_part` = `s`.`sw_part`;

-- statement: late_conflicts -- Then: those that a chunk has written since owner_conflicts. The transaction begins again.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`account_id` AS `sw_key_1`,
  `s`.`no` AS `sw_key_2`
FROM `_sw_stage_entry` AS `s`
JOIN `_sw_owner_entry` AS `o`
  ON `o`.`sw_part` = `s`.`sw_part` AND `o`.`account_id` = `s`.`account_id` AND `o`.`no` = `s`.`no`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `o`.`sw_source` <> `s`.`sw_source`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_entry` AS `d`
    WHERE
      `d`.`sw_batch` = @sw_batch
      AND `d`.`sw_part` = @sw_part
      AND `d`.`sw_action` IN ('delete', 'move_out')
      AND `d`.`sw_source` = `o`.`sw_source`
      AND `d`.`account_id` = `s`.`account_id`
      AND `d`.`no` = `s`.`no`
  )   FOR UPDATE;

-- statement: set_owner -- The source tables that the rows came from.
INSERT INTO `_sw_owner_entry` (
  `sw_part`,
  `account_id`,
  `no`,
  `sw_source`
)
SELECT
  `s`.`sw_part`,
  `s`.`account_id`,
  `s`.`no`,
  `s`.`sw_source`
FROM `_sw_stage_entry` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action ON DUPLICATE KEY UPDATE `sw_source` = `s`.`sw_source`;
