-- line_note: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`note_id`,
  NULL
FROM `line_note${suffix}` AS `t`
WHERE
  `t`.`note_id` IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`note_id`,
  `t`.`line`,
  `t`.`text`
FROM `line_note${suffix}` AS `t`
WHERE
  `t`.`line` IN (`${keys}`);
