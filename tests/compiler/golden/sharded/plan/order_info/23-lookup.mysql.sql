-- order_info: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`order_no`,
  CAST(`t`.`updated_at` AS CHAR CHARACTER SET utf8mb4)
FROM `order_info${suffix}` AS `t`
WHERE
  `t`.`order_no` IN (`${keys}`);
