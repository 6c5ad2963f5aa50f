CREATE TABLE `child` (
  `id` int(11) NOT NULL,
  `line` int(11) NOT NULL,
  `place` int(10) unsigned NOT NULL,
  `note` varchar(100) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`,`line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
INSERT INTO `child` VALUES (1, 1, 1, '')
;
INSERT INTO `child` VALUES (1, 2, 1, '')
;
INSERT INTO `child` VALUES (2, 1, 3, 'moved')
;
INSERT INTO `child` VALUES (2, 2, 3, 'moved')
;
INSERT INTO `child` VALUES (5, 1, 0, 'moved')
;
INSERT INTO `child` VALUES (5, 2, 0, 'moved')
;
INSERT INTO `child` VALUES (6, 1, 2, '')
;
INSERT INTO `child` VALUES (6, 2, 2, '')
;
INSERT INTO `child` VALUES (7, 1, 3, '')
;
INSERT INTO `child` VALUES (7, 2, 3, '')
;
INSERT INTO `child` VALUES (8, 1, 0, '')
;
INSERT INTO `child` VALUES (8, 2, 0, '')
;
INSERT INTO `child` VALUES (9, 1, 1, '')
;
INSERT INTO `child` VALUES (9, 2, 1, '')
;
INSERT INTO `child` VALUES (10, 1, 2, '')
;
INSERT INTO `child` VALUES (10, 2, 2, '')
;
INSERT INTO `child` VALUES (11, 1, 3, '')
;
INSERT INTO `child` VALUES (11, 2, 3, '')
;
INSERT INTO `child` VALUES (12, 1, 0, '')
;
INSERT INTO `child` VALUES (12, 2, 0, '')
;
INSERT INTO `child` VALUES (13, 1, 1, '')
;
INSERT INTO `child` VALUES (13, 2, 1, '')
;
INSERT INTO `child` VALUES (14, 1, 2, '')
;
INSERT INTO `child` VALUES (14, 2, 2, '')
;
INSERT INTO `child` VALUES (15, 1, 3, '')
;
INSERT INTO `child` VALUES (15, 2, 3, '')
;
INSERT INTO `child` VALUES (16, 1, 0, '')
;
INSERT INTO `child` VALUES (16, 2, 0, '')
;
INSERT INTO `child` VALUES (17, 1, 1, '')
;
INSERT INTO `child` VALUES (17, 2, 1, '')
;
INSERT INTO `child` VALUES (18, 1, 2, '')
;
INSERT INTO `child` VALUES (18, 2, 2, '')
;
INSERT INTO `child` VALUES (19, 1, 3, '')
;
INSERT INTO `child` VALUES (19, 2, 3, '')
;
INSERT INTO `child` VALUES (20, 1, 0, '')
;
INSERT INTO `child` VALUES (20, 2, 0, '')
;
INSERT INTO `child` VALUES (21, 1, 1, '')
;
INSERT INTO `child` VALUES (21, 2, 1, '')
;
INSERT INTO `child` VALUES (22, 1, 2, '')
;
INSERT INTO `child` VALUES (22, 2, 2, '')
;
INSERT INTO `child` VALUES (23, 1, 3, '')
;
INSERT INTO `child` VALUES (23, 2, 3, '')
;
INSERT INTO `child` VALUES (24, 1, 0, '')
;
INSERT INTO `child` VALUES (24, 2, 0, '')
;
INSERT INTO `child` VALUES (100, 1, 1, '')
;
INSERT INTO `child` VALUES (100, 2, 1, '')
;
INSERT INTO `child` VALUES (101, 1, 3, '')
;
INSERT INTO `child` VALUES (101, 2, 3, '')
;
INSERT INTO `child` VALUES (102, 1, 2, '')
;
INSERT INTO `child` VALUES (102, 2, 2, '')
;
INSERT INTO `child` VALUES (1000001, 1, 1, '')
;
CREATE TABLE `parent` (
  `id` int(11) NOT NULL,
  `place` int(10) unsigned NOT NULL,
  `name` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `note` varchar(100) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY `name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
INSERT INTO `parent` VALUES (1, 1, 'n1', '')
;
INSERT INTO `parent` VALUES (2, 3, 'n2', 'moved')
;
INSERT INTO `parent` VALUES (5, 0, 'n5', 'moved')
;
INSERT INTO `parent` VALUES (6, 2, 'n6', '')
;
INSERT INTO `parent` VALUES (7, 3, 'n7', '')
;
INSERT INTO `parent` VALUES (8, 0, 'n8', '')
;
INSERT INTO `parent` VALUES (9, 1, 'n9', '')
;
INSERT INTO `parent` VALUES (10, 2, 'n10', '')
;
INSERT INTO `parent` VALUES (11, 3, 'n11', '')
;
INSERT INTO `parent` VALUES (12, 0, 'n12', '')
;
INSERT INTO `parent` VALUES (13, 1, 'n13', '')
;
INSERT INTO `parent` VALUES (14, 2, 'n14', '')
;
INSERT INTO `parent` VALUES (15, 3, 'n15', '')
;
INSERT INTO `parent` VALUES (16, 0, 'n16', '')
;
INSERT INTO `parent` VALUES (17, 1, 'n17', '')
;
INSERT INTO `parent` VALUES (18, 2, 'n18', '')
;
INSERT INTO `parent` VALUES (19, 3, 'n19', '')
;
INSERT INTO `parent` VALUES (20, 0, 'n20', '')
;
INSERT INTO `parent` VALUES (21, 1, 'n21', '')
;
INSERT INTO `parent` VALUES (22, 2, 'n22', '')
;
INSERT INTO `parent` VALUES (23, 3, 'n23', '')
;
INSERT INTO `parent` VALUES (24, 0, 'n24', '')
;
INSERT INTO `parent` VALUES (100, 1, 'n100', '')
;
INSERT INTO `parent` VALUES (101, 3, 'n3', '')
;
INSERT INTO `parent` VALUES (102, 2, 'n102', '')
;
INSERT INTO `parent` VALUES (1000001, 1, 'n1000001', '')
;
