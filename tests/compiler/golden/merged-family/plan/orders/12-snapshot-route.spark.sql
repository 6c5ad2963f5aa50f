-- orders: 12-snapshot-route

-- statement: keys -- Each row of a chunk with its parent's key and its own.
SELECT
  `source_table`,
  `chunk`,
  `seen` AS `row`,
  FILTER(ARRAY(`after`.`customer_id`), `via` -> NOT `via` IS NULL) AS `via`,
  ARRAY(`after`.`code`, `source_table`) AS `key`
FROM (
  SELECT
    `source_table`,
    `chunk`,
    `seen`,
    STRUCT(`seen`[0] AS `code`, `seen`[1] AS `customer_id`, `seen`[2] AS `total`) AS `after`
  FROM `chunk_rows`
) AS `images`;

-- statement: route -- Each row goes where its parent is.
SELECT
  'orders' AS `table`,
  `source_table`,
  `chunk`,
  COALESCE(`shard`, 0) AS `shard`,
  COALESCE(`part`, 0) AS `part`,
  `row`
FROM `found_rows`
WHERE
  NOT `excluded`;
