-- orders: 30-delete

-- statement: remember -- Tombstones: a chunk that read the row earlier must not bring it back.
INSERT INTO `_sw_gone_orders` (
  `sw_part`,
  `code`,
  `sw_source`,
  `sw_file`,
  `sw_offset`,
  `sw_row`
)
SELECT
  `s`.`sw_part`,
  `s`.`code`,
  `s`.`sw_source`,
  `s`.`sw_file`,
  `s`.`sw_offset`,
  `s`.`sw_row`
FROM `_sw_stage_orders` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action ON DUPLICATE KEY UPDATE `sw_file` = `s`.`sw_file`, `sw_offset` = `s`.`sw_offset`, `sw_row` = `s`.`sw_row`;

-- statement: delete -- @sw_action is 'delete' or 'move_out'.
DELETE   `t` FROM `orders${suffix}` AS `t`
  JOIN `_sw_stage_orders` AS `s`
    ON `t`.`code` = `s`.`code`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_owner_orders` AS `o`
    WHERE
      `o`.`sw_part` = `s`.`sw_part` AND `o`.`code` = `s`.`code` AND `o`.`sw_source` <> `s`.`sw_source`
  );

-- statement: release_owner -- Deleted rows have no owner.
DELETE   `o` FROM `_sw_owner_orders` AS `o`
  JOIN `_sw_stage_orders` AS `s`
    ON `o`.`sw_part` = `s`.`sw_part` AND `o`.`code` = `s`.`code`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `o`.`sw_source` = `s`.`sw_source`;

-- statement: staged_parts -- Where a batch has staged quarantined keys.
SELECT DISTINCT
  `sw_part`
FROM `_sw_stage_orders`
WHERE
  `sw_batch` = @sw_batch AND `code` IN (`${keys}`);

-- statement: unstage -- Quarantined keys leave the stage of their batch.
DELETE FROM `_sw_stage_orders`
WHERE
  `sw_batch` = @sw_batch AND `code` IN (`${keys}`);
