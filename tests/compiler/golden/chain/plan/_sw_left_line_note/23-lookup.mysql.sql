-- _sw_left_line_note: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`note_id`,
  NULL
FROM `_sw_left_line_note${suffix}` AS `t`
WHERE
  `t`.`note_id` IN (`${keys}`);
