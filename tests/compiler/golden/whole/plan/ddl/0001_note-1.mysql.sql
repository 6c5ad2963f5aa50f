-- 0001_note.sql 1: region

-- statement: mysql -- instant
ALTER TABLE `region${suffix}`
ADD COLUMN `note` VARCHAR(40) DEFAULT NULL,   ALGORITHM=INSTANT;

-- statement: mariadb -- instant
ALTER TABLE `region${suffix}`
ADD COLUMN `note` VARCHAR(40) DEFAULT NULL,   ALGORITHM=INSTANT;
