-- 0001_language.sql 1: entry

-- statement: mysql -- instant
ALTER TABLE `entry${suffix}`
ADD COLUMN `language` CHAR(2) CHARACTER SET ascii COLLATE `ascii_bin` DEFAULT NULL AFTER `no`,   ALGORITHM=INSTANT;

-- statement: mariadb -- instant
ALTER TABLE `entry${suffix}`
ADD COLUMN `language` CHAR(2) CHARACTER SET ascii COLLATE `ascii_bin` DEFAULT NULL AFTER `no`,   ALGORITHM=INSTANT;
