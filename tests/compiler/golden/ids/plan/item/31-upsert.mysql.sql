-- item: 31-upsert

-- statement: owner_conflicts -- Keys that come from one source table while another one owns the row.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`item_id` AS `sw_key_1`
FROM `_sw_stage_item` AS `s`
JOIN `_sw_owner_item` AS `o`
  ON `o`.`sw_part` = `s`.`sw_part` AND `o`.`item_id` = `s`.`item_id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `o`.`sw_source` <> `s`.`sw_source`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_item` AS `d`
    WHERE
      `d`.`sw_batch` = @sw_batch
      AND `d`.`sw_part` = @sw_part
      AND `d`.`sw_action` IN ('delete', 'move_out')
      AND `d`.`sw_source` = `o`.`sw_source`
      AND `d`.`item_id` = `s`.`item_id`
  );

-- statement: batch_conflicts -- Keys that come from two source tables in one batch.
SELECT
  `v`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`item_id` AS `sw_key_1`
FROM `_sw_stage_item` AS `s`
JOIN `_sw_stage_item` AS `v`
  ON `v`.`sw_batch` = `s`.`sw_batch`
  AND `v`.`sw_part` = `s`.`sw_part`
  AND `v`.`sw_source` < `s`.`sw_source`
  AND `v`.`item_id` = `s`.`item_id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_action` IN ('upsert', 'deferred');

-- statement: skip_incoming -- The change of a source that does not have the key any more has no effect.
UPDATE `_sw_stage_item` AS `s` SET `s`.`sw_action` = 'obsolete'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` IN ('upsert', 'deferred')
  AND `s`.`sw_source` = @sw_source
  AND `s`.`item_id` = CAST(@sw_key_1 AS SIGNED);

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_item` AS `t`
  JOIN `_sw_stage_item` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`item_id` = `s`.`item_id` AND `t`.`sw_source` = `s`.`sw_source`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `item${suffix}` (
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
INSERT INTO `item${suffix}` (
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
    FROM `item${suffix}` AS `t`
    WHERE
      `t`.`item_id` = `s`.`item_id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `item${suffix}` AS `t`
  JOIN `_sw_stage_item` AS `s`
    ON `t`.`item_id` = `s`.`item_id` SET `t`.`item_id` = `s`.`item_id`, `t`.`user_id` = `s`.`user_id`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;

-- statement: hold_owner -- While chunks are written beside: no row changes its owner from here on.
INSERT INTO `_sw_owner_item` (
  `sw_part`,
  `item_id`,
  `sw_source`
)
SELECT
  `s`.`sw_part`,
  `s`.`item_id`,
  `s`.`sw_source`
FROM `_sw_stage_item` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action ON DUPLICATE KEY UPDATE `sw_part` = `s`.`sw_part`;

-- statement: late_conflicts -- Then: those that a chunk has written since owner_conflicts. The transaction begins again.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`item_id` AS `sw_key_1`
FROM `_sw_stage_item` AS `s`
JOIN `_sw_owner_item` AS `o`
  ON `o`.`sw_part` = `s`.`sw_part` AND `o`.`item_id` = `s`.`item_id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `o`.`sw_source` <> `s`.`sw_source`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_item` AS `d`
    WHERE
      `d`.`sw_batch` = @sw_batch
      AND `d`.`sw_part` = @sw_part
      AND `d`.`sw_action` IN ('delete', 'move_out')
      AND `d`.`sw_source` = `o`.`sw_source`
      AND `d`.`item_id` = `s`.`item_id`
  )   FOR UPDATE;

-- statement: set_owner -- The source tables that the rows came from.
INSERT INTO `_sw_owner_item` (
  `sw_part`,
  `item_id`,
  `sw_source`
)
SELECT
  `s`.`sw_part`,
  `s`.`item_id`,
  `s`.`sw_source`
FROM `_sw_stage_item` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action ON DUPLICATE KEY UPDATE `sw_source` = `s`.`sw_source`;
