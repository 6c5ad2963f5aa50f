-- order_info: 12-snapshot-route

-- statement: keys -- Each row of a chunk with its parent's key and its own.
SELECT
  `source_table`,
  `chunk`,
  `seen` AS `row`,
  FILTER(ARRAY(TRIM(TRAILING ' ' FROM `after`.`shop`)), `via` -> NOT `via` IS NULL) AS `via`,
  ARRAY(TRIM(TRAILING ' ' FROM `after`.`shop`), `after`.`order_no`) AS `key`
FROM (
  SELECT
    `source_table`,
    `chunk`,
    `seen`,
    STRUCT(`seen`[0] AS `shop`, `seen`[1] AS `order_no`, `seen`[2] AS `total`) AS `after`
  FROM `chunk_rows`
) AS `images`;

-- statement: route -- Each row goes where its parent is.
SELECT
  'order_info' AS `table`,
  `source_table`,
  `chunk`,
  COALESCE(`shard`, 0) AS `shard`,
  COALESCE(`part`, 0) AS `part`,
  `row`
FROM `found_rows`
WHERE
  NOT `excluded`;
