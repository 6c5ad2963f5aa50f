-- order_info: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`shop_code`,
  `t`.`order_no`,
  NULL
FROM `order_info${suffix}` AS `t`
WHERE
  (`t`.`shop_code`, `t`.`order_no`) IN (`${keys}`);

-- statement: children -- Whole rows of parents that move, as chunks read them.
SELECT
  `t`.`shop_code`,
  `t`.`order_no`,
  `t`.`total`
FROM `order_info${suffix}` AS `t`
WHERE
  `t`.`shop_code` IN (`${keys}`);
