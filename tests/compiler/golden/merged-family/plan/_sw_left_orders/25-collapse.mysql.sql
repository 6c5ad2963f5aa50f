-- _sw_left_orders: 25-collapse

-- statement: collapse -- Of staged changes whose keys the server calls equal, the last in log order stays.
UPDATE `_sw_stage_sw_left_orders` AS `s`
  JOIN (
    SELECT
      `sw_part`,
      `sw_source`,
      `code`,
      `sw_from`
    FROM `_sw_stage_sw_left_orders`
    WHERE
      `sw_batch` = @sw_batch
    GROUP BY
      `sw_part`,
      `sw_source`,
      `code`,
      `sw_from`
    HAVING
      COUNT(*) > 1
  ) AS `n`
    ON `n`.`sw_part` = `s`.`sw_part`
    AND `n`.`sw_source` = `s`.`sw_source`
    AND `n`.`code` = `s`.`code`
    AND `n`.`sw_from` = `s`.`sw_from`
  JOIN `_sw_stage_sw_left_orders` AS `v`
    ON `v`.`sw_batch` = `s`.`sw_batch`
    AND `v`.`sw_part` = `s`.`sw_part`
    AND `v`.`sw_source` = `s`.`sw_source`
    AND `v`.`code` = `s`.`code`
    AND `v`.`sw_from` = `s`.`sw_from` SET `s`.`sw_action` = 'obsolete'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND (
    `v`.`sw_file` > `s`.`sw_file`
    OR (
      `v`.`sw_file` = `s`.`sw_file` AND `v`.`sw_offset` > `s`.`sw_offset`
    )
    OR (
      `v`.`sw_file` = `s`.`sw_file` AND `v`.`sw_offset` = `s`.`sw_offset` AND `v`.`sw_row` > `s`.`sw_row`
    )
    OR (
      `v`.`sw_file` = `s`.`sw_file`
      AND `v`.`sw_offset` = `s`.`sw_offset`
      AND `v`.`sw_row` = `s`.`sw_row`
      AND `v`.`sw_action` = 'upsert'
      AND `s`.`sw_action` <> 'upsert'
    )
  );
