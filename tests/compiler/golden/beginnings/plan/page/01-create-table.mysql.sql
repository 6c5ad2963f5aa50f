-- page: 01-create-table

-- statement: create -- One physical table; a table that is there already must match.
CREATE TABLE IF NOT EXISTS `page${suffix}` (
  `id` BIGINT NOT NULL,
  `shop` INT UNSIGNED NOT NULL,
  `address` TEXT NOT NULL,
  `code` VARCHAR(20) CHARACTER SET latin1 COLLATE `latin1_bin` NOT NULL,
  `digest` VARBINARY(64) NOT NULL,
  `mail` CHAR(64) CHARACTER SET ascii COLLATE `ascii_bin`,
  `title` VARCHAR(100) NOT NULL,
  `doc` JSON DEFAULT NULL,
  `low` VARCHAR(100) GENERATED ALWAYS AS (LOWER(`title`)) VIRTUAL,
  PRIMARY KEY (`id`),
  UNIQUE `by_url` (
    `address`(80),
    `shop`
  ),
  UNIQUE `by_code` (
    `code`,
    `shop`
  ),
  UNIQUE `by_digest` (
    `shop`,
    `digest`(16) DESC
  ),
  UNIQUE `by_low` (
    `low`(10)
  ),
  UNIQUE `by_upper` (
    (
      UPPER(`title`)
    )
  ),
  UNIQUE `by_doc` (
    `shop`,
    (
      CAST(JSON_UNQUOTE(JSON_EXTRACT(`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
    ) DESC
  ),
  UNIQUE `by_path` (
    (
      CONCAT(`title`, `low`) COLLATE utf8mb4_bin
    ),
    `code`(5)
  )
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_0900_ai_ci;
