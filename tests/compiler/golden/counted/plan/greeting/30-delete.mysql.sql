-- greeting: 30-delete

-- statement: leaving -- The lines of the stage that leave, and their events.
SELECT
  `s`.`sw_line`,
  `s`.`sw_file`,
  `s`.`sw_offset`
FROM `_sw_stage_greeting` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
ORDER BY
  `s`.`sw_line`;

-- statement: remove_one -- One of the rows that equal line `${line}` of the stage. Where none is there, the run stops.
DELETE FROM `greeting${suffix}`
WHERE
  `word` <=> (
    SELECT
      `s`.`word`
    FROM `_sw_stage_greeting` AS `s`
    WHERE
      `s`.`sw_batch` = `${batch}`
      AND `s`.`sw_part` = `${part}`
      AND `s`.`sw_action` = 'delete'
      AND `s`.`sw_line` = `${line}`
  )
  AND CAST(`word` AS BINARY) <=> (
    SELECT
      CAST(`s`.`word` AS BINARY)
    FROM `_sw_stage_greeting` AS `s`
    WHERE
      `s`.`sw_batch` = `${batch}`
      AND `s`.`sw_part` = `${part}`
      AND `s`.`sw_action` = 'delete'
      AND `s`.`sw_line` = `${line}`
  )
LIMIT 1;

-- statement: row -- Line @sw_line for display, when no row equals it.
SELECT
  IF(
    LENGTH(`word`) <= 200,
    CAST(`word` AS CHAR CHARACTER SET utf8mb4),
    CONCAT(LENGTH(`word`), ' bytes, SHA-256 ', SHA2(CAST(`word` AS CHAR CHARACTER SET utf8mb4), 256))
  ) AS `word`
FROM `_sw_stage_greeting` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `s`.`sw_line` = @sw_line;
