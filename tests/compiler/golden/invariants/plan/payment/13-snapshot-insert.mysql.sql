-- payment: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_payment`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `payment${suffix}` (
  `id`,
  `payer`,
  `order_id`,
  `token`,
  `memo`,
  `amount`
)
SELECT
  `c`.`id`,
  `c`.`payer`,
  `c`.`order_id`,
  `c`.`token`,
  `c`.`memo`,
  `c`.`amount`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `payment${suffix}` AS `t`
    WHERE
      `t`.`payer` = `c`.`payer` AND `t`.`id` = `c`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_payment` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part`
      AND (
        `d`.`payer` = `c`.`payer` AND `d`.`id` = `c`.`id`
      )
      AND `d`.`sw_source` = `c`.`sw_source`
  )
  AND TRUE;

-- statement: owner_conflicts -- Behind the insert: rows of the chunk that another source owns.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `c`.`sw_source` AS `incoming`,
  `c`.`payer` AS `sw_key_1`,
  `c`.`id` AS `sw_key_2`
FROM `_sw_chunk` AS `c`
JOIN `_sw_owner_payment` AS `o`
  ON `o`.`sw_part` = `c`.`sw_part` AND `o`.`payer` = `c`.`payer` AND `o`.`id` = `c`.`id`
WHERE
  `c`.`sw_part` = @sw_part AND `o`.`sw_source` <> `c`.`sw_source`;

-- statement: release_row -- A row whose source does not have it any more is deleted.
DELETE FROM `payment${suffix}`
WHERE
  `payer` = CAST(@sw_key_1 AS SIGNED) AND `id` = CAST(@sw_key_2 AS SIGNED);

-- statement: release_owner -- It has no owner then.
DELETE FROM `_sw_owner_payment`
WHERE
  `sw_part` = @sw_part AND `payer` = CAST(@sw_key_1 AS SIGNED) AND `id` = CAST(@sw_key_2 AS SIGNED);

-- statement: set_owner -- After the insert: the source table that the rows came from.
INSERT INTO `_sw_owner_payment` (
  `sw_part`,
  `payer`,
  `id`,
  `sw_source`
)
SELECT
  `c`.`sw_part`,
  `c`.`payer`,
  `c`.`id`,
  `c`.`sw_source`
FROM `_sw_chunk` AS `c`
JOIN `payment${suffix}` AS `t`
  ON `t`.`payer` = `c`.`payer` AND `t`.`id` = `c`.`id`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_owner_payment` AS `o`
    WHERE
      `o`.`sw_part` = `c`.`sw_part` AND `o`.`payer` = `c`.`payer` AND `o`.`id` = `c`.`id`
  );

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
