-- order_note: 13-snapshot-insert

-- statement: chunk_table -- Before the transaction: where the chunk's rows are loaded.
CREATE TEMPORARY TABLE `_sw_chunk`
LIKE `_sw_stage_order_note`;

-- statement: insert -- Only where no row exists and no tombstone forbids it.
INSERT INTO `${database}`.`order_note${suffix}` (
  `note_id`,
  `shop`,
  `no`,
  `text`,
  `updated_at`
)
SELECT
  `c`.`note_id`,
  `c`.`shop`,
  `c`.`no`,
  `c`.`text`,
  `c`.`updated_at`
FROM `_sw_chunk` AS `c`
WHERE
  `c`.`sw_part` = @sw_part
  AND NOT EXISTS(
    SELECT
      1
    FROM `${database}`.`order_note${suffix}` AS `t`
    WHERE
      `t`.`note_id` = `c`.`note_id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_gone_order_note` AS `d`
    WHERE
      `d`.`sw_part` = `c`.`sw_part` AND `d`.`note_id` = `c`.`note_id`
  )
  AND TRUE;

-- statement: drop_chunk_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_chunk`;
