-- turnover finds the same on both sides: SELECT status, COUNT(*) AS orders, SUM(price) AS price, MIN(id) AS first_id, MAX(made) AS latest FROM orders GROUP BY status

-- statement: source -- MySQL, the rows as they are on the target
SELECT
  CAST(CAST(`orders`.`status` AS CHAR CHARACTER SET utf8mb4) AS BINARY) AS `status`,
  CAST(COUNT(*) AS CHAR) AS `orders`,
  CAST(SUM(`orders`.`price`) AS CHAR) AS `price`,
  CAST(MIN(`orders`.`id`) AS CHAR) AS `first_id`,
  CAST(MAX(`orders`.`made`) AS CHAR) AS `latest`
FROM (
  SELECT
    `id` AS `id`,
    `status` AS `status`,
    CAST(`amount` AS DECIMAL(14, 4)) AS `price`,
    `made` AS `made`
  FROM `${source_database}`.`${source_table}`
  WHERE
    `amount` >= 0
) AS `orders`
GROUP BY
  CAST(CAST(`orders`.`status` AS CHAR CHARACTER SET utf8mb4) AS BINARY);

-- statement: target -- MySQL, of each physical table
SELECT
  CAST(CAST(`orders`.`status` AS CHAR CHARACTER SET utf8mb4) AS BINARY) AS `status`,
  CAST(COUNT(*) AS CHAR) AS `orders`,
  CAST(SUM(`orders`.`price`) AS CHAR) AS `price`,
  CAST(MIN(`orders`.`id`) AS CHAR) AS `first_id`,
  CAST(MAX(`orders`.`made`) AS CHAR) AS `latest`
FROM `orders${suffix}` AS `orders`
GROUP BY
  CAST(CAST(`orders`.`status` AS CHAR CHARACTER SET utf8mb4) AS BINARY);

-- statement: compare -- Spark, over the answers; the groups that differ
SELECT
  IF(COALESCE(`s`.`there`, FALSE), `s`.`status`, `t`.`status`) AS `status`,
  COALESCE(`s`.`there`, FALSE) AS `source_there`,
  CAST(`s`.`orders` AS STRING) AS `source_orders`,
  CAST(`s`.`price` AS STRING) AS `source_price`,
  CAST(`s`.`first_id` AS STRING) AS `source_first_id`,
  CAST(`s`.`latest` AS STRING) AS `source_latest`,
  COALESCE(`t`.`there`, FALSE) AS `shards_there`,
  CAST(`t`.`orders` AS STRING) AS `shards_orders`,
  CAST(`t`.`price` AS STRING) AS `shards_price`,
  CAST(`t`.`first_id` AS STRING) AS `shards_first_id`,
  CAST(`t`.`latest` AS STRING) AS `shards_latest`
FROM (
  SELECT
    `status`,
    SUM(CAST(`orders` AS DECIMAL(38, 10))) AS `orders`,
    SUM(CAST(`price` AS DECIMAL(38, 10))) AS `price`,
    MIN(CAST(`first_id` AS DECIMAL(38, 10))) AS `first_id`,
    MAX(`latest`) AS `latest`,
    TRUE AS `there`
  FROM `at_source`
  GROUP BY
    `status`
) AS `s`
FULL OUTER JOIN (
  SELECT
    `status`,
    SUM(CAST(`orders` AS DECIMAL(38, 10))) AS `orders`,
    SUM(CAST(`price` AS DECIMAL(38, 10))) AS `price`,
    MIN(CAST(`first_id` AS DECIMAL(38, 10))) AS `first_id`,
    MAX(`latest`) AS `latest`,
    TRUE AS `there`
  FROM `on_shards`
  GROUP BY
    `status`
) AS `t`
  ON `s`.`status` IS NOT DISTINCT FROM `t`.`status`
WHERE
  NOT (
    COALESCE(`s`.`there`, FALSE)
    AND COALESCE(`t`.`there`, FALSE)
    AND `s`.`orders` IS NOT DISTINCT FROM `t`.`orders`
    AND `s`.`price` IS NOT DISTINCT FROM `t`.`price`
    AND `s`.`first_id` IS NOT DISTINCT FROM `t`.`first_id`
    AND `s`.`latest` IS NOT DISTINCT FROM `t`.`latest`
  )
ORDER BY
  `status`
LIMIT 10000;
