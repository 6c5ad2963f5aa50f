-- 0001_add_note.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD COLUMN `note` VARCHAR(200) DEFAULT 'none; /*! as yet */' COMMENT 'it''s "new"' AFTER `amount`;
-- mysql: instant: ALGORITHM=INSTANT
-- mariadb: instant: ALGORITHM=INSTANT
