-- codes_of_orders finds the same on both sides: SELECT code, COUNT(*) AS n FROM orders o JOIN region r ON r.code = o.region GROUP BY code

-- statement: source -- MySQL, the rows as they are on the target
SELECT
  CAST(CAST(`r`.`code` AS CHAR CHARACTER SET utf8mb4) AS BINARY) AS `code`,
  CAST(COUNT(*) AS CHAR) AS `n`
FROM (
  SELECT
    `region` AS `region`
  FROM `shop_0`.`orders`
  WHERE
    `amount` >= 0
  UNION ALL
  SELECT
    `region` AS `region`
  FROM `shop_1`.`orders`
  WHERE
    `amount` >= 0
) AS `o`
JOIN (
  SELECT
    `code` AS `code`
  FROM `shop_0`.`region`
) AS `r`
  ON `r`.`code` = `o`.`region`
GROUP BY
  CAST(CAST(`r`.`code` AS CHAR CHARACTER SET utf8mb4) AS BINARY);

-- statement: target -- MySQL, of each physical table
SELECT
  CAST(CAST(`r`.`code` AS CHAR CHARACTER SET utf8mb4) AS BINARY) AS `code`,
  CAST(COUNT(*) AS CHAR) AS `n`
FROM `orders${suffix}` AS `o`
JOIN `region` AS `r`
  ON `r`.`code` = `o`.`region`
GROUP BY
  CAST(CAST(`r`.`code` AS CHAR CHARACTER SET utf8mb4) AS BINARY);

-- statement: compare -- Spark, over the answers; the groups that differ
SELECT
  IF(COALESCE(`s`.`there`, FALSE), `s`.`code`, `t`.`code`) AS `code`,
  COALESCE(`s`.`there`, FALSE) AS `source_there`,
  CAST(`s`.`n` AS STRING) AS `source_n`,
  COALESCE(`t`.`there`, FALSE) AS `shards_there`,
  CAST(`t`.`n` AS STRING) AS `shards_n`
FROM (
  SELECT
    `code`,
    SUM(CAST(`n` AS DECIMAL(38, 10))) AS `n`,
    TRUE AS `there`
  FROM `at_source`
  GROUP BY
    `code`
) AS `s`
FULL OUTER JOIN (
  SELECT
    `code`,
    SUM(CAST(`n` AS DECIMAL(38, 10))) AS `n`,
    TRUE AS `there`
  FROM `on_shards`
  GROUP BY
    `code`
) AS `t`
  ON `s`.`code` IS NOT DISTINCT FROM `t`.`code`
WHERE
  NOT (
    COALESCE(`s`.`there`, FALSE) AND COALESCE(`t`.`there`, FALSE) AND `s`.`n` IS NOT DISTINCT FROM `t`.`n`
  )
ORDER BY
  `code`
LIMIT 10000;
