-- 0001_note.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD COLUMN `note` VARCHAR(20) CHARACTER SET latin1 COLLATE `latin1_bin`, ADD INDEX `by_note` (`note`(10)),   ALGORITHM=inplace,
  LOCK=none;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_note.sql 2: region
ALTER TABLE `region${suffix}`
ADD COLUMN `population` INT UNSIGNED NOT NULL DEFAULT 0;
-- mysql: instant: ALGORITHM=INSTANT
-- mariadb: instant: ALGORITHM=INSTANT

-- 0003_more.sql 1: orders, destructive
ALTER TABLE `orders${suffix}`
MODIFY COLUMN `note` VARCHAR(40) NOT NULL DEFAULT '', RENAME INDEX `by_note` TO `note`;
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY

-- 0003_more.sql 2: orders, destructive
ALTER TABLE `orders${suffix}`
CHANGE COLUMN `note` `remark` TEXT, ALTER COLUMN `amount` SET DEFAULT 1;
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY

-- 0003_more.sql 3: orders, destructive
ALTER TABLE `orders${suffix}`
DROP COLUMN `remark`;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE
