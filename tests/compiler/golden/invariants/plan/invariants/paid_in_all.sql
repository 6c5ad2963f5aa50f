-- paid_in_all finds the same on both sides: SELECT SUM(amount * 2) AS twice FROM payment WHERE amount > 1

-- statement: source -- MySQL, the rows as they are on the target
SELECT
  CAST(SUM(`payment`.`amount` * 2) AS CHAR) AS `twice`
FROM (
  SELECT
    `amount` AS `amount`
  FROM `${source_database}`.`${source_table}`
) AS `payment`
WHERE
  `payment`.`amount` > 1;

-- statement: target -- MySQL, of each physical table
SELECT
  CAST(SUM(`payment`.`amount` * 2) AS CHAR) AS `twice`
FROM `payment${suffix}` AS `payment`
WHERE
  `payment`.`amount` > 1;

-- statement: compare -- Spark, over the answers; the groups that differ
SELECT
  COALESCE(`s`.`there`, FALSE) AS `source_there`,
  CAST(`s`.`twice` AS STRING) AS `source_twice`,
  COALESCE(`t`.`there`, FALSE) AS `shards_there`,
  CAST(`t`.`twice` AS STRING) AS `shards_twice`
FROM (
  SELECT
    SUM(CAST(`twice` AS DECIMAL(38, 10))) AS `twice`,
    TRUE AS `there`
  FROM `at_source`
) AS `s`
FULL OUTER JOIN (
  SELECT
    SUM(CAST(`twice` AS DECIMAL(38, 10))) AS `twice`,
    TRUE AS `there`
  FROM `on_shards`
) AS `t`
  ON TRUE
WHERE
  NOT (
    COALESCE(`s`.`there`, FALSE) AND COALESCE(`t`.`there`, FALSE) AND `s`.`twice` IS NOT DISTINCT FROM `t`.`twice`
  );
