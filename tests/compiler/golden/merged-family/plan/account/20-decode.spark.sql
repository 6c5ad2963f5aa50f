-- account: 20-decode

-- statement: decode -- Change events of this table: columns by name, the row's key as the server compares it, and its place.
WITH `images` AS (
  SELECT
    `table` AS `source_table`,
    `op`,
    STRUCT(`epoch` AS `epoch`, `file` AS `file`, `offset` AS `offset`, `row` AS `row`) AS `position`,
    `committed_at`,
    IF(`before` IS NULL, NULL, STRUCT(`before`[0] AS `id`, `before`[1] AS `user_id`)) AS `before`,
    IF(`after` IS NULL, NULL, STRUCT(`after`[0] AS `id`, `after`[1] AS `user_id`)) AS `after`
  FROM `changes`
  WHERE
    SUBSTRING_INDEX(`table`, '.', 1) IN ('old_0', 'old_1') AND SUBSTRING_INDEX(`table`, '.', -1) IN ('account')
), `placed` AS (
  SELECT
    `source_table`,
    `op`,
    `position`,
    `committed_at`,
    `before`,
    `after`,
    IF(`before` IS NULL, NULL, ARRAY(`before`.`id`, SUBSTRING_INDEX(`source_table`, '.', 1))) AS `before_key`,
    IF(`after` IS NULL, NULL, ARRAY(`after`.`id`, SUBSTRING_INDEX(`source_table`, '.', 1))) AS `after_key`,
    IF(
      `before` IS NULL,
      NULL,
      STRUCT(
        CAST(CRC32(CAST(CAST(CAST(`before`.`user_id` AS BIGINT) AS STRING) AS BINARY)) % 3 AS INT) AS `shard`,
        CAST((
          CRC32(CAST(CAST(CAST(`before`.`user_id` AS BIGINT) AS STRING) AS BINARY)) DIV 3
        ) % 2 AS INT) AS `part`
      )
    ) AS `before_place`,
    IF(
      `after` IS NULL,
      NULL,
      STRUCT(
        CAST(CRC32(CAST(CAST(CAST(`after`.`user_id` AS BIGINT) AS STRING) AS BINARY)) % 3 AS INT) AS `shard`,
        CAST((
          CRC32(CAST(CAST(CAST(`after`.`user_id` AS BIGINT) AS STRING) AS BINARY)) DIV 3
        ) % 2 AS INT) AS `part`
      )
    ) AS `after_place`
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
