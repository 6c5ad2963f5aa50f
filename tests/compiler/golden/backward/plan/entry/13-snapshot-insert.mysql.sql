-- entry: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_entry`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `entry${suffix}` (
  `no`,
  `account_id`,
  `text`
)
SELECT
  `c`.`no`,
  `c`.`account_id`,
  `c`.`text`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `entry${suffix}` AS `t`
    WHERE
      `t`.`account_id` = `c`.`account_id` AND `t`.`no` = `c`.`no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_entry` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part`
      AND (
        `d`.`account_id` = `c`.`account_id` AND `d`.`no` = `c`.`no`
      )
      AND `d`.`sw_source` = `c`.`sw_source`
  )
  AND TRUE;

-- statement: owner_conflicts -- Behind the insert: rows of the chunk that another source owns.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `c`.`sw_source` AS `incoming`,
  `c`.`account_id` AS `sw_key_1`,
  `c`.`no` AS `sw_key_2`
FROM `_sw_chunk` AS `c`
JOIN `_sw_owner_entry` AS `o`
  ON `o`.`sw_part` = `c`.`sw_part` AND `o`.`account_id` = `c`.`account_id` AND `o`.`no` = `c`.`no`
WHERE
  `c`.`sw_part` = @sw_part AND `o`.`sw_source` <> `c`.`sw_source`;

-- statement: release_row -- A row whose source does not have it any more is deleted.
DELETE FROM `entry${suffix}`
WHERE
  `account_id` = CAST(@sw_key_1 AS UNSIGNED) AND `no` = CAST(@sw_key_2 AS SIGNED);

-- statement: release_owner -- It has no owner then.
DELETE FROM `_sw_owner_entry`
WHERE
  `sw_part` = @sw_part AND `account_id` = CAST(@sw_key_1 AS UNSIGNED) AND `no` = CAST(@sw_key_2 AS SIGNED);

-- statement: set_owner -- After the insert: the source table that the rows came from.
INSERT INTO `_sw_owner_entry` (
  `sw_part`,
  `account_id`,
  `no`,
  `sw_source`
)
SELECT
  `c`.`sw_part`,
  `c`.`account_id`,
  `c`.`no`,
  `c`.`sw_source`
FROM `_sw_chunk` AS `c`
JOIN `entry${suffix}` AS `t`
  ON `t`.`account_id` = `c`.`account_id` AND `t`.`no` = `c`.`no`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_owner_entry` AS `o`
    WHERE
      `o`.`sw_part` = `c`.`sw_part` AND `o`.`account_id` = `c`.`account_id` AND `o`.`no` = `c`.`no`
  );

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
