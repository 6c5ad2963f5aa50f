-- orders: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`user_id`,
  `t`.`id`,
  NULL
FROM `orders${suffix}` AS `t`
WHERE
  (`t`.`user_id`, `t`.`id`) IN (`${keys}`);
