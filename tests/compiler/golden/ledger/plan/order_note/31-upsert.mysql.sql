-- order_note: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`order_note${suffix}` (
  `note_id`,
  `shop`,
  `no`,
  `text`,
  `updated_at`
)
SELECT
  `s`.`note_id`,
  `s`.`shop`,
  `s`.`no`,
  `s`.`text`,
  `s`.`updated_at`
FROM `_sw_stage_order_note` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`order_note${suffix}` (
  `note_id`,
  `shop`,
  `no`,
  `text`,
  `updated_at`
)
SELECT
  `s`.`note_id`,
  `s`.`shop`,
  `s`.`no`,
  `s`.`text`,
  `s`.`updated_at`
FROM `_sw_stage_order_note` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`order_note${suffix}` AS `t`
    WHERE
      `t`.`note_id` = `s`.`note_id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`order_note${suffix}` AS `t`
  JOIN `_sw_stage_order_note` AS `s`
    ON `t`.`note_id` = `s`.`note_id` SET `t`.`note_id` = `s`.`note_id`, `t`.`shop` = `s`.`shop`, `t`.`no` = `s`.`no`, `t`.`text` = `s`.`text`, `t`.`updated_at` = `s`.`updated_at`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`updated_at` > `s`.`updated_at` AND NOT `t`.`updated_at` <=> `s`.`sw_version_before`
  );
