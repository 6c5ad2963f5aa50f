-- 0001_note.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD COLUMN `note` VARCHAR(20) CHARACTER SET latin1 COLLATE `latin1_bin`, ADD INDEX `by_note` (`note`(10)),   ALGORITHM=inplace,
  LOCK=none;

-- 0001_note.sql 2: region
ALTER TABLE `region${suffix}`
ADD COLUMN `population` INT UNSIGNED NOT NULL DEFAULT 0;

-- 0003_more.sql 1: orders, destructive
ALTER TABLE `orders${suffix}`
MODIFY COLUMN `note` VARCHAR(40) NOT NULL DEFAULT '', RENAME INDEX `by_note` TO `note`;

-- 0003_more.sql 2: orders, destructive
ALTER TABLE `orders${suffix}`
CHANGE COLUMN `note` `remark` TEXT, ALTER COLUMN `amount` SET DEFAULT 1;

-- 0003_more.sql 3: orders, destructive
ALTER TABLE `orders${suffix}`
DROP COLUMN `remark`;
