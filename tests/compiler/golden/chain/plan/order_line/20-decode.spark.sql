-- order_line: 20-decode

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
      STRUCT(`before`[0] AS `line`, `before`[1] AS `shop`, `before`[2] AS `order_no`, `before`[3] AS `cancelled`)
    ) AS `before`,
    IF(
      `after` IS NULL,
      NULL,
      STRUCT(`after`[0] AS `line`, `after`[1] AS `shop`, `after`[2] AS `order_no`, `after`[3] AS `cancelled`)
    ) AS `after`
  FROM `changes`
  WHERE
    `table` IN ('shop.order_line')
), `matched` AS (
  SELECT
    `source_table`,
    `op`,
    `position`,
    `committed_at`,
    IF(CAST(`before`.`cancelled` AS BIGINT) = 0, `before`, NULL) AS `before`,
    IF(CAST(`after`.`cancelled` AS BIGINT) = 0, `after`, NULL) AS `after`
  FROM `images`
), `matching` AS (
  SELECT
    `source_table`,
    CASE WHEN `before` IS NULL THEN 'I' WHEN `after` IS NULL THEN 'D' ELSE `op` END AS `op`,
    `position`,
    `committed_at`,
    `before`,
    `after`
  FROM `matched`
  WHERE
    NOT (
      `before` IS NULL AND `after` IS NULL
    )
), `placed` AS (
  SELECT
    `source_table`,
    `op`,
    `position`,
    `committed_at`,
    `before`,
    `after`,
    IF(`before` IS NULL, NULL, ARRAY(`before`.`line`)) AS `before_key`,
    IF(`after` IS NULL, NULL, ARRAY(`after`.`line`)) AS `after_key`,
    IF(
      `before` IS NULL,
      NULL,
      FILTER(ARRAY(TRIM(TRAILING ' ' FROM `before`.`shop`), `before`.`order_no`), `via` -> NOT `via` IS NULL)
    ) AS `before_place`,
    IF(
      `after` IS NULL,
      NULL,
      FILTER(ARRAY(TRIM(TRAILING ' ' FROM `after`.`shop`), `after`.`order_no`), `via` -> NOT `via` IS NULL)
    ) AS `after_place`
  FROM `matching`
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
