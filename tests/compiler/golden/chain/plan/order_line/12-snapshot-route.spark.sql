-- order_line: 12-snapshot-route

-- statement: keys -- Each row of a chunk with its parent's key and its own.
SELECT
  `source_table`,
  `chunk`,
  `seen` AS `row`,
  FILTER(ARRAY(TRIM(TRAILING ' ' FROM `after`.`shop`), `after`.`order_no`), `via` -> NOT `via` IS NULL) AS `via`,
  ARRAY(`after`.`line`) AS `key`
FROM (
  SELECT
    `source_table`,
    `chunk`,
    `seen`,
    STRUCT(`seen`[0] AS `line`, `seen`[1] AS `shop`, `seen`[2] AS `order_no`, `seen`[3] AS `cancelled`) AS `after`
  FROM `chunk_rows`
) AS `images`;

-- statement: route -- Each row goes where its parent is.
SELECT
  'order_line' AS `table`,
  `source_table`,
  `chunk`,
  COALESCE(`shard`, 0) AS `shard`,
  COALESCE(`part`, 0) AS `part`,
  `row`
FROM `found_rows`
WHERE
  NOT `excluded`;
