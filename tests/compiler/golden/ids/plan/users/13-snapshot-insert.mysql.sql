-- users: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_users`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `users${suffix}` (
  `user_id`,
  `name`
)
SELECT
  `c`.`user_id`,
  `c`.`name`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `users${suffix}` AS `t`
    WHERE
      `t`.`user_id` = `c`.`user_id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_users` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`user_id` = `c`.`user_id`
  )
  AND TRUE;

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `user_id`
  FROM `_sw_gone_users`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `users${suffix}` AS `t`
  ON `t`.`user_id` = `d`.`user_id`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `user_id`
  FROM `_sw_gone_users`
  WHERE
    `sw_part` = @sw_part AND `user_id` <= CAST(@sw_high_1 AS UNSIGNED)
) AS `d`
STRAIGHT_JOIN `users${suffix}` AS `t`
  ON `t`.`user_id` = `d`.`user_id`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `user_id`
  FROM `_sw_gone_users`
  WHERE
    `sw_part` = @sw_part AND `user_id` > CAST(@sw_low_1 AS UNSIGNED)
) AS `d`
STRAIGHT_JOIN `users${suffix}` AS `t`
  ON `t`.`user_id` = `d`.`user_id`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `user_id`
  FROM `_sw_gone_users`
  WHERE
    `sw_part` = @sw_part
    AND (
      `user_id` > CAST(@sw_low_1 AS UNSIGNED)
    )
    AND (
      `user_id` <= CAST(@sw_high_1 AS UNSIGNED)
    )
) AS `d`
STRAIGHT_JOIN `users${suffix}` AS `t`
  ON `t`.`user_id` = `d`.`user_id`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
