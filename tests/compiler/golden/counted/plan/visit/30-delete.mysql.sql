-- visit: 30-delete

-- statement: leaving -- The lines of the stage that leave, and their events.
SELECT
  `s`.`sw_line`,
  `s`.`sw_file`,
  `s`.`sw_offset`
FROM `_sw_stage_visit` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
ORDER BY
  `s`.`sw_line`;

-- statement: remove_one -- One of the rows that equal line `${line}` of the stage. Where none is there, the run stops.
DELETE FROM `visit${suffix}`
WHERE
  `user_id` <=> (
    SELECT
      `s`.`user_id`
    FROM `_sw_stage_visit` AS `s`
    WHERE
      `s`.`sw_batch` = `${batch}`
      AND `s`.`sw_part` = `${part}`
      AND `s`.`sw_action` = 'delete'
      AND `s`.`sw_line` = `${line}`
  )
  AND `path` <=> (
    SELECT
      `s`.`path`
    FROM `_sw_stage_visit` AS `s`
    WHERE
      `s`.`sw_batch` = `${batch}`
      AND `s`.`sw_part` = `${part}`
      AND `s`.`sw_action` = 'delete'
      AND `s`.`sw_line` = `${line}`
  )
  AND CAST(`path` AS BINARY) <=> (
    SELECT
      CAST(`s`.`path` AS BINARY)
    FROM `_sw_stage_visit` AS `s`
    WHERE
      `s`.`sw_batch` = `${batch}`
      AND `s`.`sw_part` = `${part}`
      AND `s`.`sw_action` = 'delete'
      AND `s`.`sw_line` = `${line}`
  )
  AND `at` <=> (
    SELECT
      `s`.`at`
    FROM `_sw_stage_visit` AS `s`
    WHERE
      `s`.`sw_batch` = `${batch}`
      AND `s`.`sw_part` = `${part}`
      AND `s`.`sw_action` = 'delete'
      AND `s`.`sw_line` = `${line}`
  )
  AND `seconds` <=> (
    SELECT
      `s`.`seconds`
    FROM `_sw_stage_visit` AS `s`
    WHERE
      `s`.`sw_batch` = `${batch}`
      AND `s`.`sw_part` = `${part}`
      AND `s`.`sw_action` = 'delete'
      AND `s`.`sw_line` = `${line}`
  )
  AND CAST(`seconds` AS CHAR) <=> (
    SELECT
      CAST(`s`.`seconds` AS CHAR)
    FROM `_sw_stage_visit` AS `s`
    WHERE
      `s`.`sw_batch` = `${batch}`
      AND `s`.`sw_part` = `${part}`
      AND `s`.`sw_action` = 'delete'
      AND `s`.`sw_line` = `${line}`
  )
  AND `ip` <=> (
    SELECT
      `s`.`ip`
    FROM `_sw_stage_visit` AS `s`
    WHERE
      `s`.`sw_batch` = `${batch}`
      AND `s`.`sw_part` = `${part}`
      AND `s`.`sw_action` = 'delete'
      AND `s`.`sw_line` = `${line}`
  )
  AND `tenth` <=> (
    SELECT
      `s`.`tenth`
    FROM `_sw_stage_visit` AS `s`
    WHERE
      `s`.`sw_batch` = `${batch}`
      AND `s`.`sw_part` = `${part}`
      AND `s`.`sw_action` = 'delete'
      AND `s`.`sw_line` = `${line}`
  )
LIMIT 1;

-- statement: row -- Line @sw_line for display, when no row equals it.
SELECT
  CAST(`user_id` AS CHAR CHARACTER SET utf8mb4) AS `user_id`,
  IF(
    LENGTH(`path`) <= 200,
    CAST(`path` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`path`), ' bytes, SHA-256 ', SHA2(CAST(`path` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `path`,
  CAST(`at` AS CHAR CHARACTER SET utf8mb4) AS `at`,
  CAST(CAST(`seconds` AS DOUBLE) AS CHAR CHARACTER SET utf8mb4) AS `seconds`,
  IF(LENGTH(`ip`) <= 200, HEX(`ip`), CONCAT(LENGTH(`ip`), ' bytes, SHA-256 ', SHA2(`ip`, 256))) AS `ip`,
  CAST(`tenth` AS CHAR CHARACTER SET utf8mb4) AS `tenth`
FROM `_sw_stage_visit` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `s`.`sw_line` = @sw_line;
