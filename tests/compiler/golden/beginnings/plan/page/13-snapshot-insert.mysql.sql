-- page: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_page`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `page${suffix}` (
  `id`,
  `shop`,
  `address`,
  `code`,
  `digest`,
  `mail`,
  `title`,
  `doc`
)
SELECT
  `c`.`id`,
  `c`.`shop`,
  `c`.`address`,
  `c`.`code`,
  `c`.`digest`,
  `c`.`mail`,
  `c`.`title`,
  `c`.`doc`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `page${suffix}` AS `t`
    WHERE
      `t`.`id` = `c`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_page` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`id` = `c`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `page${suffix}` AS `u`
    WHERE
      `u`.`code` = `c`.`code` AND `u`.`shop` = `c`.`shop`
  ) ON DUPLICATE KEY UPDATE `id` = `page${suffix}`.`id`;

-- statement: remove_deleted_all -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`
  FROM `_sw_gone_page`
  WHERE
    `sw_part` = @sw_part AND TRUE
) AS `d`
STRAIGHT_JOIN `page${suffix}` AS `t`
  ON `t`.`id` = `d`.`id`;

-- statement: remove_deleted_up_to -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`
  FROM `_sw_gone_page`
  WHERE
    `sw_part` = @sw_part AND `id` <= CAST(@sw_high_1 AS SIGNED)
) AS `d`
STRAIGHT_JOIN `page${suffix}` AS `t`
  ON `t`.`id` = `d`.`id`;

-- statement: remove_deleted_after -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`
  FROM `_sw_gone_page`
  WHERE
    `sw_part` = @sw_part AND `id` > CAST(@sw_low_1 AS SIGNED)
) AS `d`
STRAIGHT_JOIN `page${suffix}` AS `t`
  ON `t`.`id` = `d`.`id`;

-- statement: remove_deleted_between -- After rows were loaded in place: rows that a tombstone forbids are deleted again.
DELETE   `t` FROM (
  SELECT
    `id`
  FROM `_sw_gone_page`
  WHERE
    `sw_part` = @sw_part AND (
      `id` > CAST(@sw_low_1 AS SIGNED)
    ) AND (
      `id` <= CAST(@sw_high_1 AS SIGNED)
    )
) AS `d`
STRAIGHT_JOIN `page${suffix}` AS `t`
  ON `t`.`id` = `d`.`id`;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
