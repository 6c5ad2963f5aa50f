-- order_note: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`note_id`,
  CAST(`t`.`updated_at` AS CHAR CHARACTER SET utf8mb4)
FROM `${database}`.`order_note${suffix}` AS `t`
WHERE
  `t`.`note_id` IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`note_id`,
  `t`.`shop`,
  `t`.`no`,
  `t`.`text`,
  `t`.`updated_at`
FROM `${database}`.`order_note${suffix}` AS `t`
WHERE
  (`t`.`shop`, `t`.`no`) IN (`${keys}`);
