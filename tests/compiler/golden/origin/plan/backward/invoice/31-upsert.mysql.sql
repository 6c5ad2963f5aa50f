-- invoice: 31-upsert

-- statement: defer -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_invoice` AS `s`
  JOIN `_sw_stage_invoice` AS `v`
    ON `v`.`sw_batch` = `s`.`sw_batch`
    AND `v`.`sw_part` = `s`.`sw_part`
    AND `v`.`sw_action` IN ('move_out', 'deferred')
  JOIN `${database}`.`invoice${suffix}` AS `t`
    ON `t`.`id` = `v`.`id` SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = 'upsert'
  AND (
    (
      `t`.`token` = `s`.`token`
    ) OR (
      `t`.`number` = `s`.`number`
    )
  );

-- statement: delete_early -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `${database}`.`invoice${suffix}` AS `t`
  JOIN `_sw_stage_invoice` AS `s`
    ON (
      (
        `t`.`token` = `s`.`token`
      ) OR (
        `t`.`number` = `s`.`number`
      )
    )
  JOIN `_sw_stage_invoice` AS `v`
    ON `t`.`id` = `v`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: free_values -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `${database}`.`invoice${suffix}` AS `t`
  JOIN `_sw_stage_invoice` AS `s`
    ON (
      (
        `t`.`token` = `s`.`token`
      ) OR (
        `t`.`number` = `s`.`number`
      )
    )
  JOIN `_sw_stage_invoice` AS `v`
    ON `t`.`id` = `v`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'move_out';

-- statement: written_columns -- Before the transaction: `${columns}`, all that the table has and that take values.
SELECT
  `column_name`
FROM `information_schema`.`columns`
WHERE
  `table_schema` = '${database}'
  AND `table_name` = 'invoice${suffix}'
  AND COALESCE(`generation_expression`, '') = ''
ORDER BY
  `ordinal_position`;

-- statement: stash_table -- Before the transaction: a table for whole rows, without their other unique keys.
CREATE TEMPORARY TABLE `_sw_park_invoice${suffix}` (
  PRIMARY KEY (`id`)
) AS
SELECT
  `${columns}`
FROM `${database}`.`invoice${suffix}`
LIMIT 0;

-- statement: stash -- Rows whose unique values change: kept whole in the stash.
INSERT INTO `_sw_park_invoice${suffix}`
SELECT
  `t`.`${columns}`
FROM `${database}`.`invoice${suffix}` AS `t`
JOIN `_sw_stage_invoice` AS `s`
  ON `t`.`id` = `s`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`number` <=> `s`.`number` AND `t`.`token` <=> `s`.`token`
  )
  AND TRUE;

-- statement: remove_stashed -- Stashed rows are deleted.
DELETE   `t` FROM `${database}`.`invoice${suffix}` AS `t`
  JOIN `_sw_park_invoice${suffix}` AS `p`
    ON `t`.`id` = `p`.`id`;

-- statement: yield_to_stream -- While copying: a row copied from a later position is deleted; its own event restores it.
DELETE   `t` FROM `${database}`.`invoice${suffix}` AS `t`
  JOIN `_sw_stage_invoice` AS `s`
    ON (
      (
        `t`.`token` = `s`.`token`
      ) OR (
        `t`.`number` = `s`.`number`
      )
    )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: update_stash -- Stashed rows get their new values.
UPDATE `_sw_park_invoice${suffix}` AS `t`
  JOIN `_sw_stage_invoice` AS `s`
    ON `t`.`id` = `s`.`id` SET `t`.`id` = `s`.`id`, `t`.`customer_id` = `s`.`customer_id`, `t`.`number` = `s`.`number`, `t`.`token` = `s`.`token`, `t`.`total` = `s`.`total`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: restore -- Stashed rows are inserted again.
INSERT INTO `${database}`.`invoice${suffix}` (
  `${columns}`
)
SELECT
  `${columns}`
FROM `_sw_park_invoice${suffix}`;

-- statement: drop_stash_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_park_invoice${suffix}`;

-- statement: collision -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`id` AS `ours_id`,
  `s`.`crm` AS `ours_crm`,
  `t`.`id` AS `theirs_id`,
  `s`.`crm` AS `theirs_crm`
FROM `_sw_stage_invoice` AS `s`
JOIN `${database}`.`invoice${suffix}` AS `t`
  ON (
    (
      `t`.`token` = `s`.`token`
    ) OR (
      `t`.`number` = `s`.`number`
    )
  )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`id` = `s`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_invoice` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`id` = `b`.`id`
  )
LIMIT 1000;

-- statement: collision_inside_1 -- The same question about two rows of the batch.
SELECT
  `s`.`id` AS `ours_id`,
  `s`.`crm` AS `ours_crm`,
  `t`.`id` AS `theirs_id`,
  `s`.`crm` AS `theirs_crm`
FROM (
  SELECT DISTINCT
    `s`.`id`,
    `s`.`crm`,
    `s`.`token` AS `sw_unique_1`
  FROM `_sw_stage_invoice` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`id`,
    `t`.`crm`,
    `t`.`token` AS `sw_unique_1`
  FROM `_sw_stage_invoice` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1`
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `${database}`.`invoice${suffix}` AS `h`
    WHERE
      `h`.`id` = `t`.`id` AND `t`.`sw_unique_1` = `h`.`token`
  ) DESC
LIMIT 1000;

-- statement: collision_inside_2 -- The same question about two rows of the batch.
SELECT
  `s`.`id` AS `ours_id`,
  `s`.`crm` AS `ours_crm`,
  `t`.`id` AS `theirs_id`,
  `s`.`crm` AS `theirs_crm`
FROM (
  SELECT DISTINCT
    `s`.`id`,
    `s`.`crm`,
    `s`.`number` AS `sw_unique_1`
  FROM `_sw_stage_invoice` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`id`,
    `t`.`crm`,
    `t`.`number` AS `sw_unique_1`
  FROM `_sw_stage_invoice` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1`
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `${database}`.`invoice${suffix}` AS `h`
    WHERE
      `h`.`id` = `t`.`id` AND `t`.`sw_unique_1` = `h`.`number`
  ) DESC
LIMIT 1000;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `${database}`.`invoice${suffix}` (
  `id`,
  `customer_id`,
  `number`,
  `token`,
  `total`
)
SELECT
  `s`.`id`,
  `s`.`customer_id`,
  `s`.`number`,
  `s`.`token`,
  `s`.`total`
FROM `_sw_stage_invoice` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `${database}`.`invoice${suffix}` (
  `id`,
  `customer_id`,
  `number`,
  `token`,
  `total`
)
SELECT
  `s`.`id`,
  `s`.`customer_id`,
  `s`.`number`,
  `s`.`token`,
  `s`.`total`
FROM `_sw_stage_invoice` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`invoice${suffix}` AS `t`
    WHERE
      `t`.`id` = `s`.`id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `${database}`.`invoice${suffix}` AS `t`
  JOIN `_sw_stage_invoice` AS `s`
    ON `t`.`id` = `s`.`id` SET `t`.`id` = `s`.`id`, `t`.`customer_id` = `s`.`customer_id`, `t`.`number` = `s`.`number`, `t`.`token` = `s`.`token`, `t`.`total` = `s`.`total`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
