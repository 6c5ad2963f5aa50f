CREATE TABLE `_shardwright_chunk_done` (
  `migration` varchar(64) NOT NULL,
  `logical` varchar(64) NOT NULL,
  `source_table` varchar(160) NOT NULL,
  `chunk` bigint(20) NOT NULL,
  `rows_read` bigint(20) NOT NULL,
  `rows_inserted` bigint(20) NOT NULL,
  `applied_at` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`,`logical`,`source_table`,`chunk`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 0, 2, 2, '2026-11-27 07:40:27.613699')
;
CREATE TABLE `_shardwright_connection` (
  `migration` varchar(64) NOT NULL,
  `role` varchar(16) NOT NULL,
  `epoch` bigint(20) NOT NULL,
  `connection_id` bigint(20) NOT NULL,
  PRIMARY KEY (`migration`,`role`,`epoch`,`connection_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_connection` VALUES ('lab', 'data', 1, 31)
;
CREATE TABLE `_shardwright_ddl` (
  `migration` varchar(128) NOT NULL,
  `file` varchar(200) NOT NULL,
  `ordinal` int(11) NOT NULL,
  `physical_table` varchar(64) NOT NULL,
  `statement_sha256` char(64) NOT NULL,
  `state` varchar(8) NOT NULL,
  `started_at` datetime(6) NOT NULL,
  `finished_at` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`migration`,`file`,`ordinal`,`physical_table`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'child_0', '276f120e122914ee47f744352e9efdb4bb16963705851a914f9593cc5101caa3', 'done', '2026-11-27 07:39:24.587738', '2026-11-27 07:39:24.602284')
;
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'child_1', 'c4e4f09a7da26abd2882379b77df79c21202bc6c7de5e1b7595909839bd0eab0', 'done', '2026-11-27 07:39:24.609446', '2026-11-27 07:39:24.627260')
;
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'parent_0', '228aefc83bcc46adb601e9b78b3cc1755cc846b99355659d9ce9e2c1010cfa36', 'done', '2026-11-27 07:39:24.677964', '2026-11-27 07:39:24.729541')
;
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'parent_1', '7f9f7f4f8fa82a6f5babf6c4cd0928ab1b2dacb85fae1b94025ee1cb91c635bd', 'done', '2026-11-27 07:39:24.731973', '2026-11-27 07:39:24.757847')
;
CREATE TABLE `_shardwright_epoch` (
  `migration` varchar(64) NOT NULL,
  `role` varchar(16) NOT NULL,
  `epoch` bigint(20) NOT NULL,
  `owner` varchar(255) NOT NULL,
  `taken_at` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`,`role`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_epoch` VALUES ('lab', 'data', 1, 'vm pid 11189', '2026-11-27 07:39:24.519597')
;
CREATE TABLE `_shardwright_ledger` (
  `only_row` tinyint(4) NOT NULL,
  `format` int(11) NOT NULL,
  `ledger` char(32) NOT NULL,
  `made_at` datetime(6) NOT NULL,
  PRIMARY KEY (`only_row`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_ledger` VALUES (1, 4, 'cc8facaf52811fa06bb824b0e277122c', '2026-11-27 07:39:24.375510')
;
CREATE TABLE `_shardwright_recent_keys` (
  `migration` varchar(64) NOT NULL,
  `batch` bigint(20) NOT NULL,
  `logical` varchar(64) NOT NULL,
  `piece` int(11) NOT NULL,
  `packed` longblob NOT NULL,
  PRIMARY KEY (`migration`,`batch`,`logical`,`piece`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
CREATE TABLE `_shardwright_shard` (
  `migration` varchar(64) NOT NULL,
  `batch` bigint(20) NOT NULL,
  `position` longtext NOT NULL,
  `applied_at` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_shard` VALUES ('lab', 0, '{\"source\": \"the end of the log\"}', '2026-11-27 07:39:24.883198')
;
CREATE TABLE `_shardwright_step` (
  `migration` varchar(64) NOT NULL,
  `batch` bigint(20) NOT NULL,
  `step` varchar(64) NOT NULL,
  `summary` longtext NOT NULL,
  `applied_at` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`,`batch`,`step`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
CREATE TABLE `_shardwright_switch` (
  `migration` varchar(64) NOT NULL,
  `writes_to` varchar(8) NOT NULL,
  `generation` bigint(20) NOT NULL,
  `at` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
CREATE TABLE `_sw_gone_child` (
  `sw_part` int(11) NOT NULL,
  `id` int(11) NOT NULL,
  `line` int(11) NOT NULL,
  `sw_file` bigint(20) NOT NULL,
  `sw_offset` bigint(20) NOT NULL,
  `sw_row` int(11) NOT NULL,
  PRIMARY KEY (`sw_part`,`id`,`line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
CREATE TABLE `_sw_gone_parent` (
  `sw_part` int(11) NOT NULL,
  `id` int(11) NOT NULL,
  `sw_file` bigint(20) NOT NULL,
  `sw_offset` bigint(20) NOT NULL,
  `sw_row` int(11) NOT NULL,
  PRIMARY KEY (`sw_part`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
CREATE TABLE `_sw_stage_child` (
  `sw_batch` bigint(20) NOT NULL,
  `sw_part` int(11) NOT NULL,
  `sw_action` varchar(8) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL,
  `sw_line` int(11) NOT NULL,
  `sw_file` bigint(20) NOT NULL,
  `sw_offset` bigint(20) NOT NULL,
  `sw_row` int(11) NOT NULL,
  `sw_source` int(11) NOT NULL,
  `sw_version_before` bigint(20) DEFAULT NULL,
  `id` int(11) DEFAULT NULL,
  `line` int(11) DEFAULT NULL,
  `place` int(10) unsigned DEFAULT NULL,
  `note` varchar(100) DEFAULT NULL,
  PRIMARY KEY (`sw_batch`,`sw_part`,`sw_action`,`sw_line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
CREATE TABLE `_sw_stage_parent` (
  `sw_batch` bigint(20) NOT NULL,
  `sw_part` int(11) NOT NULL,
  `sw_action` varchar(8) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL,
  `sw_line` int(11) NOT NULL,
  `sw_file` bigint(20) NOT NULL,
  `sw_offset` bigint(20) NOT NULL,
  `sw_row` int(11) NOT NULL,
  `sw_source` int(11) NOT NULL,
  `sw_version_before` bigint(20) DEFAULT NULL,
  `id` int(11) DEFAULT NULL,
  `place` int(10) unsigned DEFAULT NULL,
  `name` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `note` varchar(100) DEFAULT NULL,
  PRIMARY KEY (`sw_batch`,`sw_part`,`sw_action`,`sw_line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
CREATE TABLE `child_0` (
  `id` int(11) NOT NULL,
  `line` int(11) NOT NULL,
  `place` int(10) unsigned NOT NULL,
  `note` varchar(100) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`,`line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
INSERT INTO `child_0` VALUES (1, 1, 1, '')
;
INSERT INTO `child_0` VALUES (1, 2, 1, '')
;
CREATE TABLE `child_1` (
  `id` int(11) NOT NULL,
  `line` int(11) NOT NULL,
  `place` int(10) unsigned NOT NULL,
  `note` varchar(100) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`,`line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
CREATE TABLE `parent_0` (
  `id` int(11) NOT NULL,
  `place` int(10) unsigned NOT NULL,
  `name` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `note` varchar(100) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY `name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
CREATE TABLE `parent_1` (
  `id` int(11) NOT NULL,
  `place` int(10) unsigned NOT NULL,
  `name` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `note` varchar(100) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY `name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
