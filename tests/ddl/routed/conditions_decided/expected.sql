-- 0001_conditions.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD COLUMN `note` TEXT, ADD COLUMN `kind` INT, ADD INDEX `by_kind` (`kind`);
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_conditions.sql 2: orders
ALTER TABLE `orders${suffix}`
ADD COLUMN `late` INT;
-- mysql: instant: ALGORITHM=INSTANT
-- mariadb: instant: ALGORITHM=INSTANT

-- 0001_conditions.sql 3: orders, destructive
ALTER TABLE `orders${suffix}`
MODIFY COLUMN `note` LONGTEXT;
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY

-- 0001_conditions.sql 4: orders, destructive
ALTER TABLE `orders${suffix}`
CHANGE COLUMN `kind` `sort` BIGINT, ALTER COLUMN `late` SET DEFAULT 5;
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY

-- 0001_conditions.sql 5: orders, destructive
ALTER TABLE `orders${suffix}`
RENAME COLUMN `sort` TO `class`;
-- mysql: instant: ALGORITHM=INSTANT
-- mariadb: instant: ALGORITHM=INSTANT

-- 0001_conditions.sql 6: orders
ALTER TABLE `orders${suffix}`
RENAME INDEX `placed` TO `by_user`;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: instant: ALGORITHM=INSTANT

-- 0001_conditions.sql 7: orders
ALTER TABLE `orders${suffix}`
ADD INDEX `placed` (`amount`);
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=NOCOPY, LOCK=NONE

-- 0001_conditions.sql 8: orders, destructive
ALTER TABLE `orders${suffix}`
DROP INDEX `placed`;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=NOCOPY, LOCK=NONE

-- 0001_conditions.sql 9: orders
ALTER TABLE `orders${suffix}`
ADD CONSTRAINT `large${suffix}` CHECK (`amount` < 9);
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY

-- 0001_conditions.sql 10: orders, destructive
ALTER TABLE `orders${suffix}`
ADD COLUMN `number` VARCHAR(32) NOT NULL, DROP COLUMN `older`;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_conditions.sql 11: orders
ALTER TABLE `orders${suffix}`
ADD UNIQUE `number` (
  `number`
);
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=NOCOPY, LOCK=NONE
