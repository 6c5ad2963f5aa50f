-- users: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`user_id`,
  NULL
FROM `users${suffix}` AS `t`
WHERE
  `t`.`user_id` IN (`${keys}`);
