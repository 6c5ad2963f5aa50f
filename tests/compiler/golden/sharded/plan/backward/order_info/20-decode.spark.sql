-- order_info: 20-decode

-- statement: decode -- Change events of this table: columns by name, the row's key as the server compares it, and its place.
WITH `images` AS (
  SELECT
    `table` AS `source_table`,
    `op`,
    STRUCT(`epoch` AS `epoch`, `file` AS `file`, `offset` AS `offset`, `row` AS `row`) AS `position`,
    `committed_at`,
    IF(
      `before` IS NULL,
      NULL,
      STRUCT(
        `before`[0] AS `order_no`,
        `before`[1] AS `buyer_id`,
        `before`[2] AS `invoice`,
        `before`[3] AS `amount`,
        `before`[4] AS `weight`,
        `before`[5] AS `signature`,
        `before`[6] AS `updated_at`
      )
    ) AS `before`,
    IF(
      `after` IS NULL,
      NULL,
      STRUCT(
        `after`[0] AS `order_no`,
        `after`[1] AS `buyer_id`,
        `after`[2] AS `invoice`,
        `after`[3] AS `amount`,
        `after`[4] AS `weight`,
        `after`[5] AS `signature`,
        `after`[6] AS `updated_at`
      )
    ) AS `after`
  FROM `changes`
  WHERE
    SUBSTRING_INDEX(`table`, '.', 1) IN (
      'order_db_00',
      'order_db_01',
      'order_db_02',
      'order_db_03',
      'order_db_04',
      'order_db_05',
      'order_db_06',
      'order_db_07',
      'order_db_08',
      'order_db_09',
      'order_db_10',
      'order_db_11',
      'order_db_12',
      'order_db_13',
      'order_db_14',
      'order_db_15'
    )
    AND SUBSTRING_INDEX(`table`, '.', -1) IN (
      'order_info_00',
      'order_info_01',
      'order_info_02',
      'order_info_03',
      'order_info_04',
      'order_info_05',
      'order_info_06',
      'order_info_07',
      'order_info_08',
      'order_info_09',
      'order_info_10',
      'order_info_11',
      'order_info_12',
      'order_info_13',
      'order_info_14',
      'order_info_15'
    )
), `placed` AS (
  SELECT
    `source_table`,
    `op`,
    `position`,
    `committed_at`,
    `before`,
    `after`,
    IF(`before` IS NULL, NULL, ARRAY(TRIM(TRAILING ' ' FROM `before`.`order_no`))) AS `before_key`,
    IF(`after` IS NULL, NULL, ARRAY(TRIM(TRAILING ' ' FROM `after`.`order_no`))) AS `after_key`,
    IF(`before` IS NULL, NULL, STRUCT(0 AS `shard`, 0 AS `part`)) AS `before_place`,
    IF(`after` IS NULL, NULL, STRUCT(0 AS `shard`, 0 AS `part`)) AS `after_place`
  FROM `images`
)
SELECT
  `source_table`,
  `change`.`op` AS `op`,
  `change`.`key` AS `key`,
  `position`,
  `committed_at`,
  `change`.`before` AS `before`,
  `change`.`after` AS `after`,
  `change`.`before_place` AS `before_place`,
  `change`.`after_place` AS `after_place`
FROM `placed`
LATERAL VIEW
EXPLODE(
  IF(
    `op` = 'U' AND `before_key` <> `after_key`,
    ARRAY(
      STRUCT(
        'D' AS `op`,
        `before_key` AS `key`,
        `before` AS `before`,
        IF(FALSE, `after`, NULL) AS `after`,
        `before_place` AS `before_place`,
        IF(FALSE, `after_place`, NULL) AS `after_place`
      ),
      STRUCT(
        'I' AS `op`,
        `after_key` AS `key`,
        IF(FALSE, `before`, NULL) AS `before`,
        `after` AS `after`,
        IF(FALSE, `before_place`, NULL) AS `before_place`,
        `after_place` AS `after_place`
      )
    ),
    ARRAY(
      STRUCT(
        `op` AS `op`,
        COALESCE(`after_key`, `before_key`) AS `key`,
        `before` AS `before`,
        `after` AS `after`,
        `before_place` AS `before_place`,
        `after_place` AS `after_place`
      )
    )
  )
) changes AS `change`;
