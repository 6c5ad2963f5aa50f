-- name
SELECT
  CASE
    WHEN CAST(RTRIM(@sw_source_1) AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci = CAST(RTRIM(@sw_target_1) AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_general_ci
    THEN 'collation'
    ELSE CASE
      WHEN CHAR_LENGTH(@sw_target_1) BETWEEN 1 AND CHAR_LENGTH(@sw_source_1) - 1
      AND CAST(LEFT(@sw_source_1, CHAR_LENGTH(@sw_target_1)) AS BINARY) = CAST(@sw_target_1 AS BINARY)
      THEN 'truncated'
      ELSE NULL
    END
  END AS `sw_rule_1`;

-- code
SELECT
  CASE
    WHEN CAST(RTRIM(@sw_source_1) AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin = CAST(RTRIM(@sw_target_1) AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
    THEN 'collation'
    ELSE CASE
      WHEN CHAR_LENGTH(@sw_target_1) BETWEEN 1 AND CHAR_LENGTH(@sw_source_1) - 1
      AND CAST(LEFT(@sw_source_1, CHAR_LENGTH(@sw_target_1)) AS BINARY) = CAST(@sw_target_1 AS BINARY)
      THEN 'truncated'
      ELSE NULL
    END
  END AS `sw_rule_1`;

-- body
SELECT
  CASE
    WHEN CAST(RTRIM(@sw_source_1) AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin = CAST(RTRIM(@sw_target_1) AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
    THEN 'collation'
    ELSE CASE
      WHEN CHAR_LENGTH(@sw_target_1) BETWEEN 1 AND CHAR_LENGTH(@sw_source_1) - 1
      AND CAST(LEFT(@sw_source_1, CHAR_LENGTH(@sw_target_1)) AS BINARY) = CAST(@sw_target_1 AS BINARY)
      THEN 'truncated'
      ELSE CASE
        WHEN CASE
          WHEN JSON_VALID(@sw_source_1) AND JSON_VALID(@sw_target_1)
          THEN JSON_CONTAINS(@sw_source_1, @sw_target_1)
          AND JSON_CONTAINS(@sw_target_1, @sw_source_1)
          AND REGEXP_REPLACE(@sw_source_1, '[0-9.eE+ -]+', '') = REGEXP_REPLACE(@sw_target_1, '[0-9.eE+ -]+', '')
          ELSE FALSE
        END
        THEN 'json_number'
        ELSE NULL
      END
    END
  END AS `sw_rule_1`;

-- amount
SELECT
  CASE
    WHEN ABS(CAST(@sw_source_1 AS DECIMAL(65, 30)) - CAST(@sw_target_1 AS DECIMAL(65, 30))) * POWER(
      10,
      LEAST(
        CASE
          WHEN LOCATE('e', @sw_source_1) > 0
          THEN 30
          WHEN LOCATE('.', @sw_source_1) = 0
          THEN 0
          ELSE CHAR_LENGTH(TRIM(TRAILING '0' FROM @sw_source_1)) - LOCATE('.', @sw_source_1)
        END,
        CASE
          WHEN LOCATE('e', @sw_target_1) > 0
          THEN 30
          WHEN LOCATE('.', @sw_target_1) = 0
          THEN 0
          ELSE CHAR_LENGTH(TRIM(TRAILING '0' FROM @sw_target_1)) - LOCATE('.', @sw_target_1)
        END
      )
    ) < 1
    THEN 'rounding'
    ELSE NULL
  END AS `sw_rule_1`;

-- ratio
SELECT
  CASE
    WHEN ABS(CAST(@sw_source_1 AS DOUBLE) - CAST(@sw_target_1 AS DOUBLE)) <= 0.000001 * GREATEST(ABS(CAST(@sw_source_1 AS DOUBLE)), ABS(CAST(@sw_target_1 AS DOUBLE)))
    THEN 'rounding'
    ELSE CASE
      WHEN ABS(CAST(@sw_source_1 AS DOUBLE) - CAST(@sw_target_1 AS DOUBLE)) * POWER(
        10,
        LEAST(
          CASE
            WHEN LOCATE('e', @sw_source_1) > 0
            THEN 30
            WHEN LOCATE('.', @sw_source_1) = 0
            THEN 0
            ELSE CHAR_LENGTH(TRIM(TRAILING '0' FROM @sw_source_1)) - LOCATE('.', @sw_source_1)
          END,
          CASE
            WHEN LOCATE('e', @sw_target_1) > 0
            THEN 30
            WHEN LOCATE('.', @sw_target_1) = 0
            THEN 0
            ELSE CHAR_LENGTH(TRIM(TRAILING '0' FROM @sw_target_1)) - LOCATE('.', @sw_target_1)
          END
        )
      ) < 1
      THEN 'rounding'
      ELSE NULL
    END
  END AS `sw_rule_1`;

-- small
SELECT
  CASE
    WHEN ABS(CAST(@sw_source_1 AS DOUBLE) - CAST(@sw_target_1 AS DOUBLE)) <= 0.000001 * GREATEST(ABS(CAST(@sw_source_1 AS DOUBLE)), ABS(CAST(@sw_target_1 AS DOUBLE)))
    THEN 'rounding'
    ELSE CASE
      WHEN ABS(CAST(@sw_source_1 AS DOUBLE) - CAST(@sw_target_1 AS DOUBLE)) * POWER(
        10,
        LEAST(
          CASE
            WHEN LOCATE('e', @sw_source_1) > 0
            THEN 30
            WHEN LOCATE('.', @sw_source_1) = 0
            THEN 0
            ELSE CHAR_LENGTH(TRIM(TRAILING '0' FROM @sw_source_1)) - LOCATE('.', @sw_source_1)
          END,
          CASE
            WHEN LOCATE('e', @sw_target_1) > 0
            THEN 30
            WHEN LOCATE('.', @sw_target_1) = 0
            THEN 0
            ELSE CHAR_LENGTH(TRIM(TRAILING '0' FROM @sw_target_1)) - LOCATE('.', @sw_target_1)
          END
        )
      ) < 1
      THEN 'rounding'
      ELSE NULL
    END
  END AS `sw_rule_1`;

-- big
SELECT
  CASE WHEN CAST(@sw_source_1 AS DOUBLE) = CAST(@sw_target_1 AS DOUBLE) THEN 'rounding' ELSE NULL END AS `sw_rule_1`;

-- at
SELECT
  CASE
    WHEN ABS(TIMESTAMPDIFF(MICROSECOND, CAST(@sw_source_1 AS DATETIME(6)), CAST(@sw_target_1 AS DATETIME(6)))) < POWER(
      10,
      6 - LEAST(
        CASE
          WHEN LOCATE('e', @sw_source_1) > 0
          THEN 30
          WHEN LOCATE('.', @sw_source_1) = 0
          THEN 0
          ELSE CHAR_LENGTH(TRIM(TRAILING '0' FROM @sw_source_1)) - LOCATE('.', @sw_source_1)
        END,
        CASE
          WHEN LOCATE('e', @sw_target_1) > 0
          THEN 30
          WHEN LOCATE('.', @sw_target_1) = 0
          THEN 0
          ELSE CHAR_LENGTH(TRIM(TRAILING '0' FROM @sw_target_1)) - LOCATE('.', @sw_target_1)
        END
      )
    )
    THEN 'rounding'
    ELSE CASE
      WHEN TIMESTAMPDIFF(MICROSECOND, CAST(@sw_source_1 AS DATETIME(6)), CAST(@sw_target_1 AS DATETIME(6))) % 900000000 = 0
      AND ABS(TIMESTAMPDIFF(MICROSECOND, CAST(@sw_source_1 AS DATETIME(6)), CAST(@sw_target_1 AS DATETIME(6)))) BETWEEN 1 AND 50400000000
      THEN 'time_zone'
      ELSE NULL
    END
  END AS `sw_rule_1`;

-- moment
SELECT
  CASE
    WHEN ABS(TIMESTAMPDIFF(MICROSECOND, CAST(@sw_source_1 AS DATETIME(6)), CAST(@sw_target_1 AS DATETIME(6)))) < POWER(
      10,
      6 - LEAST(
        CASE
          WHEN LOCATE('e', @sw_source_1) > 0
          THEN 30
          WHEN LOCATE('.', @sw_source_1) = 0
          THEN 0
          ELSE CHAR_LENGTH(TRIM(TRAILING '0' FROM @sw_source_1)) - LOCATE('.', @sw_source_1)
        END,
        CASE
          WHEN LOCATE('e', @sw_target_1) > 0
          THEN 30
          WHEN LOCATE('.', @sw_target_1) = 0
          THEN 0
          ELSE CHAR_LENGTH(TRIM(TRAILING '0' FROM @sw_target_1)) - LOCATE('.', @sw_target_1)
        END
      )
    )
    THEN 'rounding'
    ELSE CASE
      WHEN TIMESTAMPDIFF(MICROSECOND, CAST(@sw_source_1 AS DATETIME(6)), CAST(@sw_target_1 AS DATETIME(6))) % 900000000 = 0
      AND ABS(TIMESTAMPDIFF(MICROSECOND, CAST(@sw_source_1 AS DATETIME(6)), CAST(@sw_target_1 AS DATETIME(6)))) BETWEEN 1 AND 50400000000
      THEN 'time_zone'
      ELSE NULL
    END
  END AS `sw_rule_1`;

-- raw
SELECT
  CASE
    WHEN CHAR_LENGTH(@sw_target_1) BETWEEN 1 AND CHAR_LENGTH(@sw_source_1) - 1
    AND CAST(LEFT(@sw_source_1, CHAR_LENGTH(@sw_target_1)) AS BINARY) = CAST(@sw_target_1 AS BINARY)
    THEN 'truncated'
    ELSE NULL
  END AS `sw_rule_1`;

-- json
SELECT
  CASE
    WHEN CASE
      WHEN JSON_VALID(@sw_source_1) AND JSON_VALID(@sw_target_1)
      THEN JSON_CONTAINS(@sw_source_1, @sw_target_1)
      AND JSON_CONTAINS(@sw_target_1, @sw_source_1)
      AND REGEXP_REPLACE(@sw_source_1, '[0-9.eE+ -]+', '') = REGEXP_REPLACE(@sw_target_1, '[0-9.eE+ -]+', '')
      ELSE FALSE
    END
    THEN 'json_number'
    ELSE NULL
  END AS `sw_rule_1`;

-- values in full
SELECT
  IF(LENGTH(`name`) <= 1000000, CAST(`name` AS CHAR CHARACTER SET utf8mb4), NULL),
  IF(LENGTH(`raw`) <= 1000000, HEX(`raw`), NULL)
FROM `part_0`.`things_1`
WHERE
  `id` = CAST(@sw_key_1 AS SIGNED);
