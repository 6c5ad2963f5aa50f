-- _sw_place_customer: 31-upsert

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `_sw_place_customer${suffix}` (
  `id`,
  `sw_from`,
  `sw_at_shard`,
  `sw_at_part`
)
SELECT
  `s`.`id`,
  `s`.`sw_from`,
  `s`.`sw_at_shard`,
  `s`.`sw_at_part`
FROM `_sw_stage_sw_place_customer` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `_sw_place_customer${suffix}` (
  `id`,
  `sw_from`,
  `sw_at_shard`,
  `sw_at_part`
)
SELECT
  `s`.`id`,
  `s`.`sw_from`,
  `s`.`sw_at_shard`,
  `s`.`sw_at_part`
FROM `_sw_stage_sw_place_customer` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_place_customer${suffix}` AS `t`
    WHERE
      `t`.`id` = `s`.`id` AND `t`.`sw_from` = `s`.`sw_from`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `_sw_place_customer${suffix}` AS `t`
  JOIN `_sw_stage_sw_place_customer` AS `s`
    ON `t`.`id` = `s`.`id` AND `t`.`sw_from` = `s`.`sw_from` SET `t`.`id` = `s`.`id`, `t`.`sw_from` = `s`.`sw_from`, `t`.`sw_at_shard` = `s`.`sw_at_shard`, `t`.`sw_at_part` = `s`.`sw_at_part`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
