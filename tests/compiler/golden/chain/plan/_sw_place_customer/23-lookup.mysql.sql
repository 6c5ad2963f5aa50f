-- _sw_place_customer: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`code`,
  NULL
FROM `_sw_place_customer${suffix}` AS `t`
WHERE
  `t`.`code` IN (`${keys}`);

-- statement: places -- Where parents are at the stream's position.
SELECT
  `t`.`code`,
  `sw_at_shard`,
  `sw_at_part`
FROM `_sw_place_customer` AS `t`
WHERE
  `t`.`code` IN (`${keys}`);
