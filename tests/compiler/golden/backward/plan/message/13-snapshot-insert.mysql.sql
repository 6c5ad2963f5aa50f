-- message: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_message`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `message${suffix}` (
  `account_id`,
  `no`,
  `body`
)
SELECT
  `c`.`account_id`,
  `c`.`no`,
  `c`.`body`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `message${suffix}` AS `t`
    WHERE
      `t`.`account_id` = `c`.`account_id` AND `t`.`no` = `c`.`no`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_message` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`account_id` = `c`.`account_id` AND `d`.`no` = `c`.`no`
  )
  AND TRUE;

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `account_id`,
    `no`
  FROM `_sw_gone_message`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `message${suffix}` AS `t`
  ON `t`.`account_id` = `d`.`account_id` AND `t`.`no` = `d`.`no`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `account_id`,
    `no`
  FROM `_sw_gone_message`
  WHERE
    `sw_part` = @sw_part
    AND `account_id` <= CAST(@sw_high_1 AS UNSIGNED)
    AND (
      `account_id` < CAST(@sw_high_1 AS UNSIGNED)
      OR (
        `account_id` = CAST(@sw_high_1 AS UNSIGNED) AND `no` <= CAST(@sw_high_2 AS SIGNED)
      )
    )
) AS `d`
STRAIGHT_JOIN `message${suffix}` AS `t`
  ON `t`.`account_id` = `d`.`account_id` AND `t`.`no` = `d`.`no`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `account_id`,
    `no`
  FROM `_sw_gone_message`
  WHERE
    `sw_part` = @sw_part
    AND `account_id` >= CAST(@sw_low_1 AS UNSIGNED)
    AND (
      `account_id` > CAST(@sw_low_1 AS UNSIGNED)
      OR (
        `account_id` = CAST(@sw_low_1 AS UNSIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
      )
    )
) AS `d`
STRAIGHT_JOIN `message${suffix}` AS `t`
  ON `t`.`account_id` = `d`.`account_id` AND `t`.`no` = `d`.`no`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `account_id`,
    `no`
  FROM `_sw_gone_message`
  WHERE
    `sw_part` = @sw_part
    AND (
      `account_id` >= CAST(@sw_low_1 AS UNSIGNED)
      AND (
        `account_id` > CAST(@sw_low_1 AS UNSIGNED)
        OR (
          `account_id` = CAST(@sw_low_1 AS UNSIGNED) AND `no` > CAST(@sw_low_2 AS SIGNED)
        )
      )
    )
    AND (
      `account_id` <= CAST(@sw_high_1 AS UNSIGNED)
      AND (
        `account_id` < CAST(@sw_high_1 AS UNSIGNED)
        OR (
          `account_id` = CAST(@sw_high_1 AS UNSIGNED) AND `no` <= CAST(@sw_high_2 AS SIGNED)
        )
      )
    )
) AS `d`
STRAIGHT_JOIN `message${suffix}` AS `t`
  ON `t`.`account_id` = `d`.`account_id` AND `t`.`no` = `d`.`no`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
