-- _sw_place_customer: 23-lookup

-- statement: lookup -- The rows of a batch that exist in one physical table already.
SELECT
  `t`.`id`,
  `t`.`sw_from`,
  NULL
FROM `_sw_place_customer${suffix}` AS `t`
WHERE
  (`t`.`id`, `t`.`sw_from`) IN (`${keys}`);

-- statement: places -- Where parents are at the stream's position.
SELECT
  `t`.`id`,
  `sw_at_shard`,
  `sw_at_part`,
  `t`.`sw_from`
FROM `_sw_place_customer` AS `t`
WHERE
  `t`.`id` IN (`${keys}`)
ORDER BY
  `t`.`sw_from`;
