-- item: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_item`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `item${suffix}` (
  `item_id`,
  `user_id`
)
SELECT
  `c`.`item_id`,
  `c`.`user_id`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `item${suffix}` AS `t`
    WHERE
      `t`.`item_id` = `c`.`item_id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_item` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`item_id` = `c`.`item_id` AND `d`.`sw_source` = `c`.`sw_source`
  )
  AND TRUE;

-- statement: owner_conflicts -- Behind the insert: rows of the chunk that another source owns.
SELECT
  `o`.`sw_source` AS `current_owner`,
  `c`.`sw_source` AS `incoming`,
  `c`.`item_id` AS `sw_key_1`
FROM `_sw_chunk` AS `c`
JOIN `_sw_owner_item` AS `o`
  ON `o`.`sw_part` = `c`.`sw_part` AND `o`.`item_id` = `c`.`item_id`
WHERE
  `c`.`sw_part` = @sw_part AND `o`.`sw_source` <> `c`.`sw_source`;

-- statement: release_row -- A row whose source does not have it any more is deleted.
DELETE FROM `item${suffix}`
WHERE
  `item_id` = CAST(@sw_key_1 AS SIGNED);

-- statement: release_owner -- It has no owner then.
DELETE FROM `_sw_owner_item`
WHERE
  `sw_part` = @sw_part AND `item_id` = CAST(@sw_key_1 AS SIGNED);

-- statement: set_owner -- After the insert: the source table that the rows came from.
INSERT INTO `_sw_owner_item` (
  `sw_part`,
  `item_id`,
  `sw_source`
)
SELECT
  `c`.`sw_part`,
  `c`.`item_id`,
  `c`.`sw_source`
FROM `_sw_chunk` AS `c`
JOIN `item${suffix}` AS `t`
  ON `t`.`item_id` = `c`.`item_id`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_owner_item` AS `o`
    WHERE
      `o`.`sw_part` = `c`.`sw_part` AND `o`.`item_id` = `c`.`item_id`
  );

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
