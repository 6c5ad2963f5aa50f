-- totals finds the same on both sides: SELECT shop_code, COUNT(*) AS orders, SUM(total) AS total FROM order_info GROUP BY shop_code

-- statement: source -- MySQL, the rows as they are on the target
SELECT
  CAST(CAST(`order_info`.`shop_code` AS CHAR CHARACTER SET utf8mb4) AS BINARY) AS `shop_code`,
  CAST(COUNT(*) AS CHAR) AS `orders`,
  CAST(SUM(`order_info`.`total`) AS CHAR) AS `total`
FROM (
  SELECT
    `shop_code` AS `shop_code`,
    `total` AS `total`
  FROM `${source_database}`.`${source_table}`
) AS `order_info`
GROUP BY
  CAST(CAST(`order_info`.`shop_code` AS CHAR CHARACTER SET utf8mb4) AS BINARY);

-- statement: target -- MySQL, of each physical table
SELECT
  CAST(CAST(`order_info`.`shop_code` AS CHAR CHARACTER SET utf8mb4) AS BINARY) AS `shop_code`,
  CAST(COUNT(*) AS CHAR) AS `orders`,
  CAST(SUM(`order_info`.`total`) AS CHAR) AS `total`
FROM `${database}`.`order_info${suffix}` AS `order_info`
GROUP BY
  CAST(CAST(`order_info`.`shop_code` AS CHAR CHARACTER SET utf8mb4) AS BINARY);

-- statement: compare -- Spark, over the answers; the groups that differ
SELECT
  IF(COALESCE(`s`.`there`, FALSE), `s`.`shop_code`, `t`.`shop_code`) AS `shop_code`,
  COALESCE(`s`.`there`, FALSE) AS `source_there`,
  CAST(`s`.`orders` AS STRING) AS `source_orders`,
  CAST(`s`.`total` AS STRING) AS `source_total`,
  COALESCE(`t`.`there`, FALSE) AS `shards_there`,
  CAST(`t`.`orders` AS STRING) AS `shards_orders`,
  CAST(`t`.`total` AS STRING) AS `shards_total`
FROM (
  SELECT
    `shop_code`,
    SUM(CAST(`orders` AS DECIMAL(38, 10))) AS `orders`,
    SUM(CAST(`total` AS DECIMAL(38, 10))) AS `total`,
    TRUE AS `there`
  FROM `at_source`
  GROUP BY
    `shop_code`
) AS `s`
FULL OUTER JOIN (
  SELECT
    `shop_code`,
    SUM(CAST(`orders` AS DECIMAL(38, 10))) AS `orders`,
    SUM(CAST(`total` AS DECIMAL(38, 10))) AS `total`,
    TRUE AS `there`
  FROM `on_shards`
  GROUP BY
    `shop_code`
) AS `t`
  ON `s`.`shop_code` IS NOT DISTINCT FROM `t`.`shop_code`
WHERE
  NOT (
    COALESCE(`s`.`there`, FALSE)
    AND COALESCE(`t`.`there`, FALSE)
    AND `s`.`orders` IS NOT DISTINCT FROM `t`.`orders`
    AND `s`.`total` IS NOT DISTINCT FROM `t`.`total`
  )
ORDER BY
  `shop_code`
LIMIT 10000;
