-- orders: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_orders`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `orders${suffix}` (
  `id`,
  `user_id`,
  `status`,
  `price`,
  `region`,
  `made`
)
SELECT
  `c`.`id`,
  `c`.`user_id`,
  `c`.`status`,
  `c`.`price`,
  `c`.`region`,
  `c`.`made`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `orders${suffix}` AS `t`
    WHERE
      `t`.`user_id` = `c`.`user_id` AND `t`.`id` = `c`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_orders` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part`
      AND (
        `d`.`user_id` = `c`.`user_id` AND `d`.`id` = `c`.`id`
      )
      AND `d`.`sw_source` = `c`.`sw_source`
  )
  AND TRUE;

-- statement: owner_conflicts -- Behind the insert: rows of the chunk that another source owns.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `c`.`sw_source` AS `incoming`,
  `c`.`user_id` AS `sw_key_1`,
  `c`.`id` AS `sw_key_2`
FROM `_sw_chunk` AS `c`
JOIN `_sw_owner_orders` AS `o`
  ON `o`.`sw_part` = `c`.`sw_part` AND `o`.`user_id` = `c`.`user_id` AND `o`.`id` = `c`.`id`
WHERE
  `c`.`sw_part` = @sw_part AND `o`.`sw_source` <> `c`.`sw_source`;

-- statement: release_row -- A row whose source does not have it any more is deleted.
DELETE FROM `orders${suffix}`
WHERE
  `user_id` = CAST(@sw_key_1 AS SIGNED) AND `id` = CAST(@sw_key_2 AS SIGNED);

-- statement: release_owner -- It has no owner then.
DELETE FROM `_sw_owner_orders`
WHERE
  `sw_part` = @sw_part AND `user_id` = CAST(@sw_key_1 AS SIGNED) AND `id` = CAST(@sw_key_2 AS SIGNED);

-- statement: set_owner -- After the insert: the source table that the rows came from.
INSERT INTO `_sw_owner_orders` (
  `sw_part`,
  `user_id`,
  `id`,
  `sw_source`
)
SELECT
  `c`.`sw_part`,
  `c`.`user_id`,
  `c`.`id`,
  `c`.`sw_source`
FROM `_sw_chunk` AS `c`
JOIN `orders${suffix}` AS `t`
  ON `t`.`user_id` = `c`.`user_id` AND `t`.`id` = `c`.`id`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_owner_orders` AS `o`
    WHERE
      `o`.`sw_part` = `c`.`sw_part` AND `o`.`user_id` = `c`.`user_id` AND `o`.`id` = `c`.`id`
  );

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
