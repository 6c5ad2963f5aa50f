-- greeting: 31-upsert

-- statement: insert_copies -- Every staged copy, whatever rows exist.
INSERT INTO `greeting${suffix}` (
  `word`
)
SELECT
  `s`.`word`
FROM `_sw_stage_greeting` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;
