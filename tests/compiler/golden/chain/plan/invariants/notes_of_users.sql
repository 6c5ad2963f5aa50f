-- notes_of_users finds the same on both sides: SELECT c.user_id, COUNT(*) AS notes FROM line_note AS n JOIN order_line AS l ON l.line = n.line JOIN order_info AS o ON o.shop_code = l.shop AND o.order_no = l.order_no JOIN customer AS c ON c.code = o.shop_code GROUP BY c.user_id

-- statement: source -- MySQL, the rows as they are on the target
SELECT
  CAST(CAST(`c`.`user_id` AS CHAR CHARACTER SET utf8mb4) AS BINARY) AS `user_id`,
  CAST(COUNT(*) AS CHAR) AS `notes`
FROM (
  SELECT
    `line` AS `line`
  FROM `shop`.`line_note`
) AS `n`
JOIN (
  SELECT
    `line` AS `line`,
    `shop` AS `shop`,
    `order_no` AS `order_no`
  FROM `shop`.`order_line`
  WHERE
    `cancelled` = 0
) AS `l`
  ON `l`.`line` = `n`.`line`
JOIN (
  SELECT
    `shop` AS `shop_code`,
    `order_no` AS `order_no`
  FROM `shop`.`order_info`
) AS `o`
  ON `o`.`shop_code` = `l`.`shop` AND `o`.`order_no` = `l`.`order_no`
JOIN (
  SELECT
    `code` AS `code`,
    `user_id` AS `user_id`
  FROM `shop`.`customer`
) AS `c`
  ON `c`.`code` = `o`.`shop_code`
GROUP BY
  CAST(CAST(`c`.`user_id` AS CHAR CHARACTER SET utf8mb4) AS BINARY);

-- statement: target -- MySQL, of each physical table
SELECT
  CAST(CAST(`c`.`user_id` AS CHAR CHARACTER SET utf8mb4) AS BINARY) AS `user_id`,
  CAST(COUNT(*) AS CHAR) AS `notes`
FROM `line_note${suffix}` AS `n`
JOIN `order_line${suffix}` AS `l`
  ON `l`.`line` = `n`.`line`
JOIN `order_info${suffix}` AS `o`
  ON `o`.`shop_code` = `l`.`shop` AND `o`.`order_no` = `l`.`order_no`
JOIN `customer${suffix}` AS `c`
  ON `c`.`code` = `o`.`shop_code`
GROUP BY
  CAST(CAST(`c`.`user_id` AS CHAR CHARACTER SET utf8mb4) AS BINARY);

-- statement: compare -- Spark, over the answers; the groups that differ
SELECT
  IF(COALESCE(`s`.`there`, FALSE), `s`.`user_id`, `t`.`user_id`) AS `user_id`,
  COALESCE(`s`.`there`, FALSE) AS `source_there`,
  CAST(`s`.`notes` AS STRING) AS `source_notes`,
  COALESCE(`t`.`there`, FALSE) AS `shards_there`,
  CAST(`t`.`notes` AS STRING) AS `shards_notes`
FROM (
  SELECT
    `user_id`,
    SUM(CAST(`notes` AS DECIMAL(38, 10))) AS `notes`,
    TRUE AS `there`
  FROM `at_source`
  GROUP BY
    `user_id`
) AS `s`
FULL OUTER JOIN (
  SELECT
    `user_id`,
    SUM(CAST(`notes` AS DECIMAL(38, 10))) AS `notes`,
    TRUE AS `there`
  FROM `on_shards`
  GROUP BY
    `user_id`
) AS `t`
  ON `s`.`user_id` IS NOT DISTINCT FROM `t`.`user_id`
WHERE
  NOT (
    COALESCE(`s`.`there`, FALSE) AND COALESCE(`t`.`there`, FALSE) AND `s`.`notes` IS NOT DISTINCT FROM `t`.`notes`
  )
ORDER BY
  `user_id`
LIMIT 10000;
