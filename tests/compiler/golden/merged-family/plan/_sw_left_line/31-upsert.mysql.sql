-- _sw_left_line: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `_sw_left_line${suffix}` (
  `order_code`,
  `number`,
  `sw_from`
)
SELECT
  `s`.`order_code`,
  `s`.`number`,
  `s`.`sw_from`
FROM `_sw_stage_sw_left_line` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `_sw_left_line${suffix}` (
  `order_code`,
  `number`,
  `sw_from`
)
SELECT
  `s`.`order_code`,
  `s`.`number`,
  `s`.`sw_from`
FROM `_sw_stage_sw_left_line` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_left_line${suffix}` AS `t`
    WHERE
      `t`.`order_code` = `s`.`order_code` AND `t`.`number` = `s`.`number` AND `t`.`sw_from` = `s`.`sw_from`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `_sw_left_line${suffix}` AS `t`
  JOIN `_sw_stage_sw_left_line` AS `s`
    ON `t`.`order_code` = `s`.`order_code` AND `t`.`number` = `s`.`number` AND `t`.`sw_from` = `s`.`sw_from` SET `t`.`order_code` = `s`.`order_code`, `t`.`number` = `s`.`number`, `t`.`sw_from` = `s`.`sw_from`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
