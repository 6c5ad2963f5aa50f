-- payments_without_order finds nothing on either side: SELECT p.id, p.token FROM payment AS p WHERE NOT EXISTS (SELECT * FROM orders o WHERE o.id = p.order_id AND p.payer = o.user_id)

-- statement: source -- MySQL, the rows as they are on the target
SELECT
  CAST(CAST(`p`.`id` AS CHAR CHARACTER SET utf8mb4) AS BINARY) AS `id`,
  CAST(HEX(`p`.`token`) AS BINARY) AS `token`
FROM (
  SELECT
    `id` AS `id`,
    `payer` AS `payer`,
    `order_id` AS `order_id`,
    `token` AS `token`
  FROM `shop_0`.`payment`
  UNION ALL
  SELECT
    `id` AS `id`,
    `payer` AS `payer`,
    `order_id` AS `order_id`,
    `token` AS `token`
  FROM `shop_1`.`payment`
) AS `p`
WHERE
  NOT EXISTS(
    SELECT
      *
    FROM (
      SELECT
        `id` AS `id`,
        `user_id` AS `user_id`
      FROM `shop_0`.`orders`
      WHERE
        `amount` >= 0
      UNION ALL
      SELECT
        `id` AS `id`,
        `user_id` AS `user_id`
      FROM `shop_1`.`orders`
      WHERE
        `amount` >= 0
    ) AS `o`
    WHERE
      `o`.`id` = `p`.`order_id` AND `p`.`payer` = `o`.`user_id`
  )
LIMIT 10000;

-- statement: target -- MySQL, of each physical table
SELECT
  CAST(CAST(`p`.`id` AS CHAR CHARACTER SET utf8mb4) AS BINARY) AS `id`,
  CAST(HEX(`p`.`token`) AS BINARY) AS `token`
FROM `payment${suffix}` AS `p`
WHERE
  NOT EXISTS(
    SELECT
      *
    FROM `orders${suffix}` AS `o`
    WHERE
      `o`.`id` = `p`.`order_id` AND `p`.`payer` = `o`.`user_id`
  )
LIMIT 10000;

-- statement: compare -- Spark, over the answers; the groups that differ
SELECT
  IF(COALESCE(`s`.`there`, FALSE), `s`.`id`, `t`.`id`) AS `id`,
  IF(COALESCE(`s`.`there`, FALSE), `s`.`token`, `t`.`token`) AS `token`,
  COALESCE(`s`.`there`, FALSE) AS `source_there`,
  COALESCE(`t`.`there`, FALSE) AS `shards_there`
FROM (
  SELECT
    `id`,
    `token`,
    TRUE AS `there`
  FROM `at_source`
  GROUP BY
    `id`,
    `token`
) AS `s`
FULL OUTER JOIN (
  SELECT
    `id`,
    `token`,
    TRUE AS `there`
  FROM `on_shards`
  GROUP BY
    `id`,
    `token`
) AS `t`
  ON `s`.`id` IS NOT DISTINCT FROM `t`.`id` AND `s`.`token` IS NOT DISTINCT FROM `t`.`token`
ORDER BY
  `id`,
  `token`
LIMIT 10000;
