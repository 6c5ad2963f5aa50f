-- account: 22-route

-- statement: route -- Where each change goes: upsert at the row's place, move_out at the places it left, delete at all places.
SELECT
  'account' AS `table`,
  `source_table`,
  `place`.`shard` AS `shard`,
  `place`.`part` AS `part`,
  CASE WHEN `op` = 'D' THEN 'delete' WHEN `place` = `after_place` THEN 'upsert' ELSE 'move_out' END AS `action`,
  `op`,
  `key`,
  `position`,
  `committed_at`,
  IF(
    `op` <> 'D' AND `place` = `after_place`,
    ARRAY(
      `after`.`id`,
      `after`.`email`,
      IF(
        `after`.`kind` IS NULL OR `after`.`kind` RLIKE '\\A(?:free|paid)\\z',
        `after`.`kind`,
        CONCAT(`after`.`kind`, ' is no enum')
      ),
      IF(
        `after`.`credit_limit` IS NULL OR RIGHT(`after`.`credit_limit`, 2) = '00',
        LEFT(`after`.`credit_limit`, LENGTH(`after`.`credit_limit`) - 2),
        CONCAT(`after`.`credit_limit`, ' is no decimal')
      ),
      IF(
        `after`.`born` IS NULL OR RIGHT(`after`.`born`, 9) = ' 00:00:00',
        LEFT(`after`.`born`, LENGTH(`after`.`born`) - 9),
        CONCAT(`after`.`born`, ' is no date')
      ),
      `after`.`active`
    ),
    NULL
  ) AS `row`,
  CAST(NULL AS STRING) AS `version_before`,
  CAST(NULL AS STRING) AS `version`
FROM `merged`
LATERAL VIEW
EXPLODE(`places`) places AS `place`;
