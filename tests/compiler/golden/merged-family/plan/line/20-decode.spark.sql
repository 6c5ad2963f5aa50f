-- line: 20-decode

-- statement: decode -- Change events of this table: columns by name, the row's key as the server compares it, and its place.
WITH `images` AS (
  SELECT
    `table` AS `source_table`,
    `op`,
    STRUCT(`epoch` AS `epoch`, `file` AS `file`, `offset` AS `offset`, `row` AS `row`) AS `position`,
    `committed_at`,
    IF(`before` IS NULL, NULL, STRUCT(`before`[0] AS `order_code`, `before`[1] AS `number`, `before`[2] AS `note`)) AS `before`,
    IF(`after` IS NULL, NULL, STRUCT(`after`[0] AS `order_code`, `after`[1] AS `number`, `after`[2] AS `note`)) AS `after`
  FROM `changes`
  WHERE
    SUBSTRING_INDEX(`table`, '.', 1) IN ('old_0', 'old_1') AND SUBSTRING_INDEX(`table`, '.', -1) IN ('line')
), `placed` AS (
  SELECT
    `source_table`,
    `op`,
    `position`,
    `committed_at`,
    `before`,
    `after`,
    IF(`before` IS NULL, NULL, ARRAY(`before`.`order_code`, `before`.`number`)) AS `before_key`,
    IF(`after` IS NULL, NULL, ARRAY(`after`.`order_code`, `after`.`number`)) AS `after_key`,
    IF(`before` IS NULL, NULL, FILTER(ARRAY(`before`.`order_code`), `via` -> NOT `via` IS NULL)) AS `before_place`,
    IF(`after` IS NULL, NULL, FILTER(ARRAY(`after`.`order_code`), `via` -> NOT `via` IS NULL)) AS `after_place`
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
