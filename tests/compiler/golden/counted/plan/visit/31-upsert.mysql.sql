-- visit: 31-upsert

-- statement: insert_copies -- Every staged copy, whatever rows exist.
INSERT INTO `visit${suffix}` (
  `user_id`,
  `path`,
  `at`,
  `seconds`,
  `ip`,
  `tenth`
)
SELECT
  `s`.`user_id`,
  `s`.`path`,
  `s`.`at`,
  `s`.`seconds`,
  `s`.`ip`,
  `s`.`tenth`
FROM `_sw_stage_visit` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;
