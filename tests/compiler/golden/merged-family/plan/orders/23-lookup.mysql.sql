-- orders: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`code`,
  NULL
FROM `orders${suffix}` AS `t`
WHERE
  `t`.`code` IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`code`,
  `t`.`customer_id`,
  `t`.`total`,
  `o`.`sw_source`
FROM `orders${suffix}` AS `t`
LEFT JOIN `_sw_owner_orders` AS `o`
  ON `o`.`sw_part` = @sw_part AND `o`.`code` = `t`.`code`
WHERE
  `t`.`customer_id` IN (`${keys}`);
