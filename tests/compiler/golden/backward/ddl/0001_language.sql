ALTER TABLE `entry` ADD COLUMN `language` char(2) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL AFTER `no`;
