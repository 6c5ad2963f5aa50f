-- orders: 31-upsert

-- statement: owner_conflicts -- Keys that come from one source table while another one owns the row.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`user_id` AS `sw_key_1`,
  `s`.`id` AS `sw_key_2`
FROM `_sw_stage_orders` AS `s`
JOIN `_sw_owner_orders` AS `o`
  ON `o`.`sw_part` = `s`.`sw_part` AND `o`.`user_id` = `s`.`user_id` AND `o`.`id` = `s`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `o`.`sw_source` <> `s`.`sw_source`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_orders` AS `d`
    WHERE
      `d`.`sw_batch` = @sw_batch
      AND `d`.`sw_part` = @sw_part
      AND `d`.`sw_action` IN ('delete', 'move_out')
      AND `d`.`sw_source` = `o`.`sw_source`
      AND `d`.`user_id` = `s`.`user_id`
      AND `d`.`id` = `s`.`id`
  );

-- statement: batch_conflicts -- Keys that come from two source tables in one batch.
SELECT
  `v`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`user_id` AS `sw_key_1`,
  `s`.`id` AS `sw_key_2`
FROM `_sw_stage_orders` AS `s`
JOIN `_sw_stage_orders` AS `v`
  ON `v`.`sw_batch` = `s`.`sw_batch`
  AND `v`.`sw_part` = `s`.`sw_part`
  AND `v`.`sw_source` < `s`.`sw_source`
  AND `v`.`user_id` = `s`.`user_id`
  AND `v`.`id` = `s`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_action` IN ('upsert', 'deferred');

-- statement: skip_incoming -- The change of a source that does not have the key any more has no effect.
UPDATE `_sw_stage_orders` AS `s` SET `s`.`sw_action` = 'obsolete'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` IN ('upsert', 'deferred')
  AND `s`.`sw_source` = @sw_source
  AND `s`.`user_id` = CAST(@sw_key_1 AS SIGNED)
  AND `s`.`id` = CAST(@sw_key_2 AS SIGNED);

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_orders` AS `t`
  JOIN `_sw_stage_orders` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part`
    AND (
      `t`.`user_id` = `s`.`user_id` AND `t`.`id` = `s`.`id`
    )
    AND `t`.`sw_source` = `s`.`sw_source`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `orders${suffix}` (
  `id`,
  `user_id`,
  `status`,
  `price`,
  `region`,
  `made`
)
SELECT
  `s`.`id`,
  `s`.`user_id`,
  `s`.`status`,
  `s`.`price`,
  `s`.`region`,
  `s`.`made`
FROM `_sw_stage_orders` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `orders${suffix}` (
  `id`,
  `user_id`,
  `status`,
  `price`,
  `region`,
  `made`
)
SELECT
  `s`.`id`,
  `s`.`user_id`,
  `s`.`status`,
  `s`.`price`,
  `s`.`region`,
  `s`.`made`
FROM `_sw_stage_orders` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `orders${suffix}` AS `t`
    WHERE
      `t`.`user_id` = `s`.`user_id` AND `t`.`id` = `s`.`id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `orders${suffix}` AS `t`
  JOIN `_sw_stage_orders` AS `s`
    ON `t`.`user_id` = `s`.`user_id` AND `t`.`id` = `s`.`id` SET `t`.`id` = `s`.`id`, `t`.`user_id` = `s`.`user_id`, `t`.`status` = `s`.`status`, `t`.`price` = `s`.`price`, `t`.`region` = `s`.`region`, `t`.`made` = `s`.`made`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;

-- statement: hold_owner -- While chunks are written beside: no row changes its owner from here on.
INSERT INTO `_sw_owner_orders` (
  `sw_part`,
  `user_id`,
  `id`,
  `sw_source`
)
SELECT
  `s`.`sw_part`,
  `s`.`user_id`,
  `s`.`id`,
  `s`.`sw_source`
FROM `_sw_stage_orders` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action ON DUPLICATE KEY UPDATE `sw_part` = `s`.`sw_part`;

-- statement: late_conflicts -- Then: those that a chunk has written since owner_conflicts. The transaction begins again.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `s`.`sw_source` AS `incoming`,
  `s`.`user_id` AS `sw_key_1`,
  `s`.`id` AS `sw_key_2`
FROM `_sw_stage_orders` AS `s`
JOIN `_sw_owner_orders` AS `o`
  ON `o`.`sw_part` = `s`.`sw_part` AND `o`.`user_id` = `s`.`user_id` AND `o`.`id` = `s`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `o`.`sw_source` <> `s`.`sw_source`
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_orders` AS `d`
    WHERE
      `d`.`sw_batch` = @sw_batch
      AND `d`.`sw_part` = @sw_part
      AND `d`.`sw_action` IN ('delete', 'move_out')
      AND `d`.`sw_source` = `o`.`sw_source`
      AND `d`.`user_id` = `s`.`user_id`
      AND `d`.`id` = `s`.`id`
  )   FOR UPDATE;

-- statement: set_owner -- The source tables that the rows came from.
INSERT INTO `_sw_owner_orders` (
  `sw_part`,
  `user_id`,
  `id`,
  `sw_source`
)
SELECT
  `s`.`sw_part`,
  `s`.`user_id`,
  `s`.`id`,
  `s`.`sw_source`
FROM `_sw_stage_orders` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action ON DUPLICATE KEY UPDATE `sw_source` = `s`.`sw_source`;
