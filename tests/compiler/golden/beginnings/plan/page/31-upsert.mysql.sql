-- page: 31-upsert

-- statement: forget_tombstones -- Rows that come back need no tombstone any more.
DELETE   `t` FROM `_sw_gone_page` AS `t`
  JOIN `_sw_stage_page` AS `s`
    ON `t`.`sw_part` = `s`.`sw_part` AND `t`.`id` = `s`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: defer -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_page` AS `s`
  JOIN `_sw_stage_page` AS `v`
    ON `v`.`sw_batch` = `s`.`sw_batch`
    AND `v`.`sw_part` = `s`.`sw_part`
    AND `v`.`sw_action` IN ('move_out', 'deferred')
  JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id` SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = 'upsert'
  AND (
    `t`.`code` = `s`.`code` AND `t`.`shop` = `s`.`shop`
  );

-- statement: defer_1 -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_page` AS `s`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      LEFT(`t`.`address`, 80) AS `sw_unique_1`,
      `t`.`shop` AS `sw_unique_2`
    FROM `_sw_stage_page` AS `v`
    STRAIGHT_JOIN `page${suffix}` AS `t`
      ON `t`.`id` = `v`.`id`
    WHERE
      `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` IN ('move_out', 'deferred')
  ) AS `w`
    ON `w`.`sw_unique_1` = LEFT(`s`.`address`, 80) AND `w`.`sw_unique_2` = `s`.`shop` SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = 'upsert';

-- statement: defer_2 -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_page` AS `s`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `t`.`shop` AS `sw_unique_1`,
      LEFT(`t`.`digest`, 16) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `v`
    STRAIGHT_JOIN `page${suffix}` AS `t`
      ON `t`.`id` = `v`.`id`
    WHERE
      `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` IN ('move_out', 'deferred')
  ) AS `w`
    ON `w`.`sw_unique_1` = `s`.`shop` AND `w`.`sw_unique_2` = LEFT(`s`.`digest`, 16) SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = 'upsert';

-- statement: defer_3 -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_page` AS `s`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      LEFT(`t`.`low`, 10) AS `sw_unique_1`
    FROM `_sw_stage_page` AS `v`
    STRAIGHT_JOIN `page${suffix}` AS `t`
      ON `t`.`id` = `v`.`id`
    WHERE
      `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` IN ('move_out', 'deferred')
  ) AS `w`
    ON `w`.`sw_unique_1` = LEFT(`s`.`low`, 10) SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = 'upsert';

-- statement: defer_4 -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_page` AS `s`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      (
        UPPER(`t`.`title`)
      ) AS `sw_unique_1`
    FROM `_sw_stage_page` AS `v`
    STRAIGHT_JOIN `page${suffix}` AS `t`
      ON `t`.`id` = `v`.`id`
    WHERE
      `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` IN ('move_out', 'deferred')
  ) AS `w`
    ON `w`.`sw_unique_1` = (
      UPPER(`s`.`title`)
    ) SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = 'upsert';

-- statement: defer_5 -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_page` AS `s`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `t`.`shop` AS `sw_unique_1`,
      (
        CAST(JSON_UNQUOTE(JSON_EXTRACT(`t`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
      ) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `v`
    STRAIGHT_JOIN `page${suffix}` AS `t`
      ON `t`.`id` = `v`.`id`
    WHERE
      `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` IN ('move_out', 'deferred')
  ) AS `w`
    ON `w`.`sw_unique_1` = `s`.`shop`
    AND `w`.`sw_unique_2` = (
      CAST(JSON_UNQUOTE(JSON_EXTRACT(`s`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
    ) SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = 'upsert';

-- statement: defer_6 -- Rows that need a value of a row which leaves, or is deferred itself. Repeated until none is found.
UPDATE `_sw_stage_page` AS `s`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      LEFT(`t`.`code`, 5) AS `sw_unique_1`,
      (
        CONCAT(`t`.`title`, `t`.`low`) COLLATE utf8mb4_bin
      ) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `v`
    STRAIGHT_JOIN `page${suffix}` AS `t`
      ON `t`.`id` = `v`.`id`
    WHERE
      `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` IN ('move_out', 'deferred')
  ) AS `w`
    ON `w`.`sw_unique_1` = LEFT(`s`.`code`, 5)
    AND `w`.`sw_unique_2` = (
      CONCAT(`s`.`title`, `s`.`low`) COLLATE utf8mb4_bin
    ) SET `s`.`sw_action` = 'deferred'
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = 'upsert';

-- statement: delete_early -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `page${suffix}` AS `t`
  JOIN `_sw_stage_page` AS `s`
    ON (
      `t`.`code` = `s`.`code` AND `t`.`shop` = `s`.`shop`
    )
  JOIN `_sw_stage_page` AS `v`
    ON `t`.`id` = `v`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: delete_early_1 -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      LEFT(`s`.`address`, 80) AS `sw_unique_1`,
      `s`.`shop` AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = LEFT(`t`.`address`, 80) AND `s`.`sw_unique_2` = `t`.`shop`
WHERE
  `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: delete_early_2 -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      `s`.`shop` AS `sw_unique_1`,
      LEFT(`s`.`digest`, 16) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = `t`.`shop` AND `s`.`sw_unique_2` = LEFT(`t`.`digest`, 16)
WHERE
  `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: delete_early_3 -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      LEFT(`s`.`low`, 10) AS `sw_unique_1`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = LEFT(`t`.`low`, 10)
WHERE
  `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: delete_early_4 -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      (
        UPPER(`s`.`title`)
      ) AS `sw_unique_1`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = (
      UPPER(`t`.`title`)
    )
WHERE
  `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: delete_early_5 -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      `s`.`shop` AS `sw_unique_1`,
      (
        CAST(JSON_UNQUOTE(JSON_EXTRACT(`s`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
      ) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = `t`.`shop`
    AND `s`.`sw_unique_2` = (
      CAST(JSON_UNQUOTE(JSON_EXTRACT(`t`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
    )
WHERE
  `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: delete_early_6 -- Rows that the batch deletes, where another row needs their unique value.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      LEFT(`s`.`code`, 5) AS `sw_unique_1`,
      (
        CONCAT(`s`.`title`, `s`.`low`) COLLATE utf8mb4_bin
      ) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = LEFT(`t`.`code`, 5)
    AND `s`.`sw_unique_2` = (
      CONCAT(`t`.`title`, `t`.`low`) COLLATE utf8mb4_bin
    )
WHERE
  `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'delete'
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: free_values -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `page${suffix}` AS `t`
  JOIN `_sw_stage_page` AS `s`
    ON (
      `t`.`code` = `s`.`code` AND `t`.`shop` = `s`.`shop`
    )
  JOIN `_sw_stage_page` AS `v`
    ON `t`.`id` = `v`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND `v`.`sw_batch` = @sw_batch
  AND `v`.`sw_part` = @sw_part
  AND `v`.`sw_action` = 'move_out';

-- statement: free_values_1 -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      LEFT(`s`.`address`, 80) AS `sw_unique_1`,
      `s`.`shop` AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = LEFT(`t`.`address`, 80) AND `s`.`sw_unique_2` = `t`.`shop`
WHERE
  `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` = 'move_out' AND TRUE;

-- statement: free_values_2 -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      `s`.`shop` AS `sw_unique_1`,
      LEFT(`s`.`digest`, 16) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = `t`.`shop` AND `s`.`sw_unique_2` = LEFT(`t`.`digest`, 16)
WHERE
  `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` = 'move_out' AND TRUE;

-- statement: free_values_3 -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      LEFT(`s`.`low`, 10) AS `sw_unique_1`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = LEFT(`t`.`low`, 10)
WHERE
  `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` = 'move_out' AND TRUE;

-- statement: free_values_4 -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      (
        UPPER(`s`.`title`)
      ) AS `sw_unique_1`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = (
      UPPER(`t`.`title`)
    )
WHERE
  `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` = 'move_out' AND TRUE;

-- statement: free_values_5 -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      `s`.`shop` AS `sw_unique_1`,
      (
        CAST(JSON_UNQUOTE(JSON_EXTRACT(`s`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
      ) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = `t`.`shop`
    AND `s`.`sw_unique_2` = (
      CAST(JSON_UNQUOTE(JSON_EXTRACT(`t`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
    )
WHERE
  `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` = 'move_out' AND TRUE;

-- statement: free_values_6 -- For the deferred rows: the leaving rows whose values they need are deleted.
DELETE   `t` FROM `_sw_stage_page` AS `v`
  STRAIGHT_JOIN `page${suffix}` AS `t`
    ON `t`.`id` = `v`.`id`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      LEFT(`s`.`code`, 5) AS `sw_unique_1`,
      (
        CONCAT(`s`.`title`, `s`.`low`) COLLATE utf8mb4_bin
      ) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = LEFT(`t`.`code`, 5)
    AND `s`.`sw_unique_2` = (
      CONCAT(`t`.`title`, `t`.`low`) COLLATE utf8mb4_bin
    )
WHERE
  `v`.`sw_batch` = @sw_batch AND `v`.`sw_part` = @sw_part AND `v`.`sw_action` = 'move_out' AND TRUE;

-- statement: written_columns -- Before the transaction: `${columns}`, all that the table has and that take values.
SELECT
  `column_name`
FROM `information_schema`.`columns`
WHERE
  `table_schema` = SCHEMA() AND `table_name` = 'page${suffix}' AND COALESCE(`generation_expression`, '') = ''
ORDER BY
  `ordinal_position`;

-- statement: stash_table -- Before the transaction: a table for whole rows, without their other unique keys.
CREATE TEMPORARY TABLE `_sw_park_page${suffix}` (
  PRIMARY KEY (`id`)
) AS
SELECT
  `${columns}`
FROM `page${suffix}`
LIMIT 0;

-- statement: stash -- Rows whose unique values change: kept whole in the stash.
INSERT INTO `_sw_park_page${suffix}`
SELECT
  `t`.`${columns}`
FROM `page${suffix}` AS `t`
JOIN `_sw_stage_page` AS `s`
  ON `t`.`id` = `s`.`id`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    (
      CAST(JSON_UNQUOTE(JSON_EXTRACT(`t`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
    ) <=> (
      CAST(JSON_UNQUOTE(JSON_EXTRACT(`s`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
    )
    AND (
      CONCAT(`t`.`title`, `t`.`low`) COLLATE utf8mb4_bin
    ) <=> (
      CONCAT(`s`.`title`, `s`.`low`) COLLATE utf8mb4_bin
    )
    AND (
      UPPER(`t`.`title`)
    ) <=> (
      UPPER(`s`.`title`)
    )
    AND LEFT(`t`.`address`, 80) <=> LEFT(`s`.`address`, 80)
    AND `t`.`code` <=> `s`.`code`
    AND LEFT(`t`.`code`, 5) <=> LEFT(`s`.`code`, 5)
    AND LEFT(`t`.`digest`, 16) <=> LEFT(`s`.`digest`, 16)
    AND LEFT(`t`.`low`, 10) <=> LEFT(`s`.`low`, 10)
    AND `t`.`shop` <=> `s`.`shop`
  )
  AND TRUE;

-- statement: remove_stashed -- Stashed rows are deleted.
DELETE   `t` FROM `page${suffix}` AS `t`
  JOIN `_sw_park_page${suffix}` AS `p`
    ON `t`.`id` = `p`.`id`;

-- statement: yield_to_stream -- While copying: a row copied from a later position is deleted; its own event restores it.
DELETE   `t` FROM `page${suffix}` AS `t`
  JOIN `_sw_stage_page` AS `s`
    ON (
      `t`.`code` = `s`.`code` AND `t`.`shop` = `s`.`shop`
    )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`id` = `s`.`id`
  );

-- statement: make_room_1 -- The same, after the server has refused a statement for such a row.
DELETE   `t` FROM `page${suffix}` AS `t`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      LEFT(`s`.`address`, 80) AS `sw_unique_1`,
      `s`.`shop` AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = LEFT(`t`.`address`, 80) AND `s`.`sw_unique_2` = `t`.`shop`
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch
      AND `b`.`sw_part` = @sw_part
      AND `b`.`sw_action` IN ('upsert', 'deferred')
      AND `t`.`id` = `b`.`id`
  );

-- statement: make_room_2 -- The same, after the server has refused a statement for such a row.
DELETE   `t` FROM `page${suffix}` AS `t`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      `s`.`shop` AS `sw_unique_1`,
      LEFT(`s`.`digest`, 16) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = `t`.`shop` AND `s`.`sw_unique_2` = LEFT(`t`.`digest`, 16)
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch
      AND `b`.`sw_part` = @sw_part
      AND `b`.`sw_action` IN ('upsert', 'deferred')
      AND `t`.`id` = `b`.`id`
  );

-- statement: make_room_3 -- The same, after the server has refused a statement for such a row.
DELETE   `t` FROM `page${suffix}` AS `t`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      LEFT(`s`.`low`, 10) AS `sw_unique_1`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = LEFT(`t`.`low`, 10)
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch
      AND `b`.`sw_part` = @sw_part
      AND `b`.`sw_action` IN ('upsert', 'deferred')
      AND `t`.`id` = `b`.`id`
  );

-- statement: make_room_4 -- The same, after the server has refused a statement for such a row.
DELETE   `t` FROM `page${suffix}` AS `t`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      (
        UPPER(`s`.`title`)
      ) AS `sw_unique_1`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = (
      UPPER(`t`.`title`)
    )
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch
      AND `b`.`sw_part` = @sw_part
      AND `b`.`sw_action` IN ('upsert', 'deferred')
      AND `t`.`id` = `b`.`id`
  );

-- statement: make_room_5 -- The same, after the server has refused a statement for such a row.
DELETE   `t` FROM `page${suffix}` AS `t`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      `s`.`shop` AS `sw_unique_1`,
      (
        CAST(JSON_UNQUOTE(JSON_EXTRACT(`s`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
      ) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = `t`.`shop`
    AND `s`.`sw_unique_2` = (
      CAST(JSON_UNQUOTE(JSON_EXTRACT(`t`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
    )
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch
      AND `b`.`sw_part` = @sw_part
      AND `b`.`sw_action` IN ('upsert', 'deferred')
      AND `t`.`id` = `b`.`id`
  );

-- statement: make_room_6 -- The same, after the server has refused a statement for such a row.
DELETE   `t` FROM `page${suffix}` AS `t`
  STRAIGHT_JOIN (
    SELECT DISTINCT
      `s`.`id`,
      LEFT(`s`.`code`, 5) AS `sw_unique_1`,
      (
        CONCAT(`s`.`title`, `s`.`low`) COLLATE utf8mb4_bin
      ) AS `sw_unique_2`
    FROM `_sw_stage_page` AS `s`
    WHERE
      `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
  ) AS `s`
    ON `s`.`sw_unique_1` = LEFT(`t`.`code`, 5)
    AND `s`.`sw_unique_2` = (
      CONCAT(`t`.`title`, `t`.`low`) COLLATE utf8mb4_bin
    )
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch
      AND `b`.`sw_part` = @sw_part
      AND `b`.`sw_action` IN ('upsert', 'deferred')
      AND `t`.`id` = `b`.`id`
  );

-- statement: update_stash -- Stashed rows get their new values.
UPDATE `_sw_park_page${suffix}` AS `t`
  JOIN `_sw_stage_page` AS `s`
    ON `t`.`id` = `s`.`id` SET `t`.`id` = `s`.`id`, `t`.`shop` = `s`.`shop`, `t`.`address` = `s`.`address`, `t`.`code` = `s`.`code`, `t`.`digest` = `s`.`digest`, `t`.`mail` = `s`.`mail`, `t`.`title` = `s`.`title`, `t`.`doc` = `s`.`doc`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: restore -- Stashed rows are inserted again.
INSERT INTO `page${suffix}` (
  `${columns}`
)
SELECT
  `${columns}`
FROM `_sw_park_page${suffix}`;

-- statement: drop_stash_table -- After the transaction.
DROP TEMPORARY TABLE `_sw_park_page${suffix}`;

-- statement: collision -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM `_sw_stage_page` AS `s`
JOIN `page${suffix}` AS `t`
  ON (
    `t`.`code` = `s`.`code` AND `t`.`shop` = `s`.`shop`
  )
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT (
    `t`.`id` = `s`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`id` = `b`.`id`
  )
LIMIT 1000;

-- statement: collision_1 -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM `page${suffix}` AS `t`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `s`.`id`,
    LEFT(`s`.`address`, 80) AS `sw_unique_1`,
    `s`.`shop` AS `sw_unique_2`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
  ON `s`.`sw_unique_1` = LEFT(`t`.`address`, 80) AND `s`.`sw_unique_2` = `t`.`shop`
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`id` = `b`.`id`
  )
LIMIT 1000;

-- statement: collision_2 -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM `page${suffix}` AS `t`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `s`.`id`,
    `s`.`shop` AS `sw_unique_1`,
    LEFT(`s`.`digest`, 16) AS `sw_unique_2`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
  ON `s`.`sw_unique_1` = `t`.`shop` AND `s`.`sw_unique_2` = LEFT(`t`.`digest`, 16)
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`id` = `b`.`id`
  )
LIMIT 1000;

-- statement: collision_3 -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM `page${suffix}` AS `t`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `s`.`id`,
    LEFT(`s`.`low`, 10) AS `sw_unique_1`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
  ON `s`.`sw_unique_1` = LEFT(`t`.`low`, 10)
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`id` = `b`.`id`
  )
LIMIT 1000;

-- statement: collision_4 -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM `page${suffix}` AS `t`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `s`.`id`,
    (
      UPPER(`s`.`title`)
    ) AS `sw_unique_1`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
  ON `s`.`sw_unique_1` = (
    UPPER(`t`.`title`)
  )
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`id` = `b`.`id`
  )
LIMIT 1000;

-- statement: collision_5 -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM `page${suffix}` AS `t`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `s`.`id`,
    `s`.`shop` AS `sw_unique_1`,
    (
      CAST(JSON_UNQUOTE(JSON_EXTRACT(`s`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
    ) AS `sw_unique_2`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
  ON `s`.`sw_unique_1` = `t`.`shop`
  AND `s`.`sw_unique_2` = (
    CAST(JSON_UNQUOTE(JSON_EXTRACT(`t`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
  )
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`id` = `b`.`id`
  )
LIMIT 1000;

-- statement: collision_6 -- When the server reports a duplicate: which of our rows collides with which foreign one.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM `page${suffix}` AS `t`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `s`.`id`,
    LEFT(`s`.`code`, 5) AS `sw_unique_1`,
    (
      CONCAT(`s`.`title`, `s`.`low`) COLLATE utf8mb4_bin
    ) AS `sw_unique_2`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
  ON `s`.`sw_unique_1` = LEFT(`t`.`code`, 5)
  AND `s`.`sw_unique_2` = (
    CONCAT(`t`.`title`, `t`.`low`) COLLATE utf8mb4_bin
  )
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
  AND NOT EXISTS(
    SELECT
      1
    FROM `_sw_stage_page` AS `b`
    WHERE
      `b`.`sw_batch` = @sw_batch AND `b`.`sw_part` = @sw_part AND `t`.`id` = `b`.`id`
  )
LIMIT 1000;

-- statement: collision_inside_1 -- The same question about two rows of the batch.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM (
  SELECT DISTINCT
    `s`.`id`,
    `s`.`code` AS `sw_unique_1`,
    `s`.`shop` AS `sw_unique_2`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`id`,
    `t`.`code` AS `sw_unique_1`,
    `t`.`shop` AS `sw_unique_2`
  FROM `_sw_stage_page` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1` AND `t`.`sw_unique_2` = `s`.`sw_unique_2`
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `page${suffix}` AS `h`
    WHERE
      `h`.`id` = `t`.`id` AND `t`.`sw_unique_1` = `h`.`code` AND `t`.`sw_unique_2` = `h`.`shop`
  ) DESC
LIMIT 1000;

-- statement: collision_inside_2 -- The same question about two rows of the batch.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM (
  SELECT DISTINCT
    `s`.`id`,
    LEFT(`s`.`address`, 80) AS `sw_unique_1`,
    `s`.`shop` AS `sw_unique_2`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`id`,
    LEFT(`t`.`address`, 80) AS `sw_unique_1`,
    `t`.`shop` AS `sw_unique_2`
  FROM `_sw_stage_page` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1` AND `t`.`sw_unique_2` = `s`.`sw_unique_2`
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `page${suffix}` AS `h`
    WHERE
      `h`.`id` = `t`.`id` AND `t`.`sw_unique_1` = LEFT(`h`.`address`, 80) AND `t`.`sw_unique_2` = `h`.`shop`
  ) DESC
LIMIT 1000;

-- statement: collision_inside_3 -- The same question about two rows of the batch.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM (
  SELECT DISTINCT
    `s`.`id`,
    `s`.`shop` AS `sw_unique_1`,
    LEFT(`s`.`digest`, 16) AS `sw_unique_2`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`id`,
    `t`.`shop` AS `sw_unique_1`,
    LEFT(`t`.`digest`, 16) AS `sw_unique_2`
  FROM `_sw_stage_page` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1` AND `t`.`sw_unique_2` = `s`.`sw_unique_2`
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `page${suffix}` AS `h`
    WHERE
      `h`.`id` = `t`.`id` AND `t`.`sw_unique_1` = `h`.`shop` AND `t`.`sw_unique_2` = LEFT(`h`.`digest`, 16)
  ) DESC
LIMIT 1000;

-- statement: collision_inside_4 -- The same question about two rows of the batch.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM (
  SELECT DISTINCT
    `s`.`id`,
    LEFT(`s`.`low`, 10) AS `sw_unique_1`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`id`,
    LEFT(`t`.`low`, 10) AS `sw_unique_1`
  FROM `_sw_stage_page` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1`
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `page${suffix}` AS `h`
    WHERE
      `h`.`id` = `t`.`id` AND `t`.`sw_unique_1` = LEFT(`h`.`low`, 10)
  ) DESC
LIMIT 1000;

-- statement: collision_inside_5 -- The same question about two rows of the batch.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM (
  SELECT DISTINCT
    `s`.`id`,
    (
      UPPER(`s`.`title`)
    ) AS `sw_unique_1`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`id`,
    (
      UPPER(`t`.`title`)
    ) AS `sw_unique_1`
  FROM `_sw_stage_page` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1`
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `page${suffix}` AS `h`
    WHERE
      `h`.`id` = `t`.`id` AND `t`.`sw_unique_1` = (
        UPPER(`h`.`title`)
      )
  ) DESC
LIMIT 1000;

-- statement: collision_inside_6 -- The same question about two rows of the batch.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM (
  SELECT DISTINCT
    `s`.`id`,
    `s`.`shop` AS `sw_unique_1`,
    (
      CAST(JSON_UNQUOTE(JSON_EXTRACT(`s`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
    ) AS `sw_unique_2`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`id`,
    `t`.`shop` AS `sw_unique_1`,
    (
      CAST(JSON_UNQUOTE(JSON_EXTRACT(`t`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
    ) AS `sw_unique_2`
  FROM `_sw_stage_page` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1` AND `t`.`sw_unique_2` = `s`.`sw_unique_2`
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `page${suffix}` AS `h`
    WHERE
      `h`.`id` = `t`.`id`
      AND `t`.`sw_unique_1` = `h`.`shop`
      AND `t`.`sw_unique_2` = (
        CAST(JSON_UNQUOTE(JSON_EXTRACT(`h`.`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4)
      )
  ) DESC
LIMIT 1000;

-- statement: collision_inside_7 -- The same question about two rows of the batch.
SELECT
  `s`.`id` AS `ours_id`,
  `t`.`id` AS `theirs_id`
FROM (
  SELECT DISTINCT
    `s`.`id`,
    LEFT(`s`.`code`, 5) AS `sw_unique_1`,
    (
      CONCAT(`s`.`title`, `s`.`low`) COLLATE utf8mb4_bin
    ) AS `sw_unique_2`
  FROM `_sw_stage_page` AS `s`
  WHERE
    `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action
) AS `s`
STRAIGHT_JOIN (
  SELECT DISTINCT
    `t`.`id`,
    LEFT(`t`.`code`, 5) AS `sw_unique_1`,
    (
      CONCAT(`t`.`title`, `t`.`low`) COLLATE utf8mb4_bin
    ) AS `sw_unique_2`
  FROM `_sw_stage_page` AS `t`
  WHERE
    `t`.`sw_batch` = @sw_batch AND `t`.`sw_part` = @sw_part AND `t`.`sw_action` IN ('upsert', 'deferred')
) AS `t`
  ON `t`.`sw_unique_1` = `s`.`sw_unique_1` AND `t`.`sw_unique_2` = `s`.`sw_unique_2`
WHERE
  NOT (
    `t`.`id` = `s`.`id`
  )
ORDER BY
  EXISTS(
    SELECT
      1
    FROM `page${suffix}` AS `h`
    WHERE
      `h`.`id` = `t`.`id`
      AND `t`.`sw_unique_1` = LEFT(`h`.`code`, 5)
      AND `t`.`sw_unique_2` = (
        CONCAT(`h`.`title`, `h`.`low`) COLLATE utf8mb4_bin
      )
  ) DESC
LIMIT 1000;

-- statement: insert_new -- When no row exists, as far as the batch knows: the server refuses all of them if one does.
INSERT INTO `page${suffix}` (
  `id`,
  `shop`,
  `address`,
  `code`,
  `digest`,
  `mail`,
  `title`,
  `doc`
)
SELECT
  `s`.`id`,
  `s`.`shop`,
  `s`.`address`,
  `s`.`code`,
  `s`.`digest`,
  `s`.`mail`,
  `s`.`title`,
  `s`.`doc`
FROM `_sw_stage_page` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action;

-- statement: insert -- Rows that do not exist.
INSERT INTO `page${suffix}` (
  `id`,
  `shop`,
  `address`,
  `code`,
  `digest`,
  `mail`,
  `title`,
  `doc`
)
SELECT
  `s`.`id`,
  `s`.`shop`,
  `s`.`address`,
  `s`.`code`,
  `s`.`digest`,
  `s`.`mail`,
  `s`.`title`,
  `s`.`doc`
FROM `_sw_stage_page` AS `s`
WHERE
  `s`.`sw_batch` = @sw_batch
  AND `s`.`sw_part` = @sw_part
  AND `s`.`sw_action` = @sw_action
  AND NOT EXISTS(
    SELECT
      1
    FROM `page${suffix}` AS `t`
    WHERE
      `t`.`id` = `s`.`id`
  );

-- statement: update -- Rows that exist, unless the target has a newer version.
UPDATE `page${suffix}` AS `t`
  JOIN `_sw_stage_page` AS `s`
    ON `t`.`id` = `s`.`id` SET `t`.`id` = `s`.`id`, `t`.`shop` = `s`.`shop`, `t`.`address` = `s`.`address`, `t`.`code` = `s`.`code`, `t`.`digest` = `s`.`digest`, `t`.`mail` = `s`.`mail`, `t`.`title` = `s`.`title`, `t`.`doc` = `s`.`doc`
WHERE
  `s`.`sw_batch` = @sw_batch AND `s`.`sw_part` = @sw_part AND `s`.`sw_action` = @sw_action AND TRUE;
