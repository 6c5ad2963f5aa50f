-- line: 12-snapshot-route

-- statement: keys -- Each row of a chunk with its parent's key and its own.
SELECT
  `source_table`,
  `chunk`,
  `seen` AS `row`,
  FILTER(ARRAY(`after`.`order_code`), `via` -> NOT `via` IS NULL) AS `via`,
  ARRAY(`after`.`order_code`, `after`.`number`, SUBSTRING_INDEX(`source_table`, '.', 1)) AS `key`
FROM (
  SELECT
    `source_table`,
    `chunk`,
    `seen`,
    STRUCT(`seen`[0] AS `order_code`, `seen`[1] AS `number`, `seen`[2] AS `note`) AS `after`
  FROM `chunk_rows`
) AS `images`;

-- statement: route -- Each row goes where its parent is.
SELECT
  'line' AS `table`,
  `source_table`,
  `chunk`,
  COALESCE(`shard`, 0) AS `shard`,
  COALESCE(`part`, 0) AS `part`,
  `row`
FROM `found_rows`
WHERE
  NOT `excluded`;
