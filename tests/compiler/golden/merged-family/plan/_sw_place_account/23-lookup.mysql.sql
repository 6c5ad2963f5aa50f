-- _sw_place_account: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  `t`.`shop`,
  NULL
FROM `_sw_place_account${suffix}` AS `t`
WHERE
  (`t`.`id`, `t`.`shop`) IN (`${keys}`);

-- statement: places -- Where parents are at the stream's position.
SELECT
  `t`.`id`,
  `t`.`shop`,
  `sw_at_shard`,
  `sw_at_part`
FROM `_sw_place_account` AS `t`
WHERE
  (`t`.`id`, `t`.`shop`) IN (`${keys}`);
