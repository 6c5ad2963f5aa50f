CREATE TABLE `_shardwright_audit` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `migration` varchar(64) NOT NULL,
  `at` datetime(6) NOT NULL,
  `what` varchar(64) NOT NULL,
  `detail` longtext NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
CREATE TABLE `_shardwright_chunk` (
  `migration` varchar(64) NOT NULL,
  `logical` varchar(64) NOT NULL,
  `source_table` varchar(160) NOT NULL,
  `chunk` bigint(20) NOT NULL,
  `low` longtext DEFAULT NULL,
  `high` longtext DEFAULT NULL,
  `state` varchar(8) NOT NULL,
  `high_position` longtext DEFAULT NULL,
  `rows_read` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`migration`,`logical`,`source_table`,`chunk`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 0, NULL, '[\"2\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 1, '[\"2\", \"2\"]', '[\"4\", \"2\"]', 'planned', NULL, NULL)
;
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
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 0, 2, 2, '2026-11-27 07:40:27.570268')
;
CREATE TABLE `_shardwright_connection` (
  `migration` varchar(64) NOT NULL,
  `role` varchar(16) NOT NULL,
  `epoch` bigint(20) NOT NULL,
  `connection_id` bigint(20) NOT NULL,
  PRIMARY KEY (`migration`,`role`,`epoch`,`connection_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_connection` VALUES ('lab', 'data', 1, 16)
;
INSERT INTO `_shardwright_connection` VALUES ('lab', 'data', 1, 31)
;
INSERT INTO `_shardwright_connection` VALUES ('lab', 'data', 1, 39)
;
INSERT INTO `_shardwright_connection` VALUES ('lab', 'data', 1, 40)
;
CREATE TABLE `_shardwright_control` (
  `migration` varchar(64) NOT NULL,
  `paused` tinyint(4) NOT NULL,
  `paused_by` varchar(255) NOT NULL,
  `paused_at` datetime(6) DEFAULT NULL,
  `reason` text NOT NULL,
  `rows_per_second` bigint(20) DEFAULT NULL,
  `rows_by` varchar(255) NOT NULL,
  `rows_at` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`migration`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
CREATE TABLE `_shardwright_cutover` (
  `migration` varchar(64) NOT NULL,
  `direction` varchar(8) NOT NULL,
  `updated_at` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
CREATE TABLE `_shardwright_cutover_state` (
  `migration` varchar(64) NOT NULL,
  `state` varchar(16) NOT NULL,
  `writes_to` varchar(8) NOT NULL,
  `generation` bigint(20) NOT NULL,
  `version` bigint(20) NOT NULL,
  `since` datetime(6) NOT NULL,
  `detail` longtext NOT NULL,
  PRIMARY KEY (`migration`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
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
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'child_0', '276f120e122914ee47f744352e9efdb4bb16963705851a914f9593cc5101caa3', 'done', '2026-11-27 07:39:24.589084', '2026-11-27 07:39:24.602676')
;
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'child_1', 'c4e4f09a7da26abd2882379b77df79c21202bc6c7de5e1b7595909839bd0eab0', 'done', '2026-11-27 07:39:24.603886', '2026-11-27 07:39:24.628908')
;
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'parent_0', '228aefc83bcc46adb601e9b78b3cc1755cc846b99355659d9ce9e2c1010cfa36', 'done', '2026-11-27 07:39:24.686388', '2026-11-27 07:39:24.731429')
;
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'parent_1', '7f9f7f4f8fa82a6f5babf6c4cd0928ab1b2dacb85fae1b94025ee1cb91c635bd', 'done', '2026-11-27 07:39:24.735372', '2026-11-27 07:39:24.755222')
;
CREATE TABLE `_shardwright_dead` (
  `migration` varchar(64) NOT NULL,
  `logical` varchar(64) NOT NULL,
  `source_table` varchar(160) NOT NULL,
  `key_sha256` char(64) NOT NULL,
  `row_key` longtext NOT NULL,
  `state` varchar(8) NOT NULL,
  `code` char(6) NOT NULL,
  `reason` longtext NOT NULL,
  `batch` bigint(20) NOT NULL,
  `events` bigint(20) NOT NULL,
  `last_position` longtext DEFAULT NULL,
  `last_op` char(1) DEFAULT NULL,
  `image` longtext DEFAULT NULL,
  `places` longtext NOT NULL,
  `until` longtext DEFAULT NULL,
  `first_seen` datetime(6) NOT NULL,
  `last_seen` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`,`logical`,`source_table`,`key_sha256`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
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
INSERT INTO `_shardwright_epoch` VALUES ('lab', 'data', 1, 'vm pid 11189', '2026-11-27 07:39:24.501201')
;
CREATE TABLE `_shardwright_ledger` (
  `only_row` tinyint(4) NOT NULL,
  `format` int(11) NOT NULL,
  `ledger` char(32) NOT NULL,
  `made_at` datetime(6) NOT NULL,
  PRIMARY KEY (`only_row`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_ledger` VALUES (1, 4, '2b8eb4e243623ffdbd7a562fe924eb08', '2026-11-27 07:39:23.896589')
;
CREATE TABLE `_shardwright_member` (
  `migration` varchar(64) NOT NULL,
  `shard` varchar(64) NOT NULL,
  `ledger` char(32) NOT NULL,
  `batch` bigint(20) NOT NULL,
  `chunks` bigint(20) NOT NULL,
  PRIMARY KEY (`migration`,`shard`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_member` VALUES ('lab', 'lab_0', '2b8eb4e243623ffdbd7a562fe924eb08', 0, 1)
;
INSERT INTO `_shardwright_member` VALUES ('lab', 'lab_1', 'cc8facaf52811fa06bb824b0e277122c', 0, 1)
;
CREATE TABLE `_shardwright_migration` (
  `migration` varchar(64) NOT NULL,
  `fingerprint` char(16) NOT NULL,
  `sources` longtext NOT NULL,
  `start` longtext NOT NULL,
  `position` longtext NOT NULL,
  `batch` bigint(20) NOT NULL,
  `committed_at` longtext NOT NULL,
  `snapshot_end` longtext DEFAULT NULL,
  `snapshot_done_at` bigint(20) DEFAULT NULL,
  `updated_at` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_migration` VALUES ('lab', '95c47140a0aa9bbf', '{\"source\": \"the source\'s identity\"}', '{\"source\": \"the end of the log\"}', '{\"source\": \"the end of the log\"}', 0, '{}', NULL, NULL, '2026-11-27 07:39:24.887669')
;
CREATE TABLE `_shardwright_open` (
  `migration` varchar(64) NOT NULL,
  `batch` bigint(20) NOT NULL,
  `fingerprint` char(16) NOT NULL,
  `state` varchar(8) NOT NULL,
  `from_position` longtext NOT NULL,
  `to_position` longtext NOT NULL,
  `committed_at` longtext NOT NULL,
  `shards` longtext NOT NULL,
  PRIMARY KEY (`migration`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
CREATE TABLE `_shardwright_plan` (
  `migration` varchar(64) NOT NULL,
  `fingerprint` char(16) NOT NULL,
  `record` longtext NOT NULL,
  `at` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_plan` VALUES ('lab', '95c47140a0aa9bbf', '{\"databases\": [\"lab_0\", \"lab_1\"], \"dialect\": \"mariadb\", \"books\": {}, \"tables\": {\"child\": {\"aspects\": {\"source\": \"f91b5ee7828e87513c362b9f98280a4e1959381cef6a1a1c892204e35c0a1507\", \"columns\": \"eedef1f90d6d00aafa323ffba06ef25ebcc571698f1525e135af67bf4b0e3159\", \"keys\": \"04ee79d5b0b8a652c99c81479fa2b43fb9618aa6ba799f7a0b83e9dd0ce7f020\", \"settings\": \"7fa3688764a1d7dc2f8726c70f5c34a1921858af070019a260dfabc00ca51ad2\", \"sharding\": \"2b7f80fd5b0a52839755dd446b0da2d5c18fe23cefe97cda0ae6d455b22fb8c7\", \"target\": \"a2e2c672407916e65740e104fbdfd3efc61c7d51227d65b88db7de47113613db\", \"sql\": \"ab2114ffdf76f6d4ee4fdede44a6c5935f3d765e82b53c6c2967a19b00c7a969\"}, \"sources\": [\"lab.child\"], \"source_columns\": [{\"name\": \"id\", \"type\": {\"name\": \"int\"}, \"nullable\": false}, {\"name\": \"line\", \"type\": {\"name\": \"int\"}, \"nullable\": false}, {\"name\": \"place\", \"type\": {\"name\": \"int\", \"unsigned\": true}, \"nullable\": false}, {\"name\": \"note\", \"type\": {\"name\": \"varchar\", \"length\": 100, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_general_ci\"}, \"nullable\": false}], \"columns\": {\"id\": {\"source\": \"id\", \"target\": \"id\", \"type\": {\"name\": \"int\"}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"line\": {\"source\": \"line\", \"target\": \"line\", \"type\": {\"name\": \"int\"}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"place\": {\"source\": \"place\", \"target\": \"place\", \"type\": {\"name\": \"int\", \"unsigned\": true}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"note\": {\"source\": \"note\", \"target\": \"note\", \"type\": {\"name\": \"varchar\", \"length\": 100, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_general_ci\"}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}}, \"generated\": [], \"key\": [\"id\", \"line\"], \"place\": \"IF(`after` IS NULL, NULL, STRUCT(CAST(CAST(`after`.`place` AS BIGINT) % 2 AS INT) AS `shard`, CAST((CAST(`after`.`place` AS BIGINT) DIV 2) % 2 AS INT) AS `part`))\", \"layout\": [\"sharded\", null, \"cfb7ba87bffab6aa9a9dbda8fc5935824f3550345711fa41b8435c5d1fc5a83f\"], \"parent\": null, \"where\": null, \"version\": null, \"deletes\": [\"until_snapshot\", null], \"write\": \"rows\", \"weight\": 5, \"ours\": [\"_sw_stage_child\", \"_sw_gone_child\"]}, \"parent\": {\"aspects\": {\"source\": \"db1b1fc4e30c0457e8b40be918bdc4620e731b91a9b4ae4d88789813a7fd5bab\", \"columns\": \"65eec3f1a437deabe6651c8ef2201f340fa4a56d060ba1916f56879f6250aadc\", \"keys\": \"b4a751af53004d32742f82de33f0d4561ced79e2a42bfeef8eaf92b36ac56883\", \"settings\": \"b9d4ac4cc88f8489306f365aa06074c19f627339152574fc905fcea4a34d29e1\", \"sharding\": \"2b7f80fd5b0a52839755dd446b0da2d5c18fe23cefe97cda0ae6d455b22fb8c7\", \"target\": \"5f00bd5356e0d794f1d39e40c4b047bb92c745c56e810d612786f0c1a94a2d4e\", \"sql\": \"92cfda0badda22bc884a1685dde8eeba5c2a82f81e13888bb211887f0c4d7502\"}, \"sources\": [\"lab.parent\"], \"source_columns\": [{\"name\": \"id\", \"type\": {\"name\": \"int\"}, \"nullable\": false}, {\"name\": \"place\", \"type\": {\"name\": \"int\", \"unsigned\": true}, \"nullable\": false}, {\"name\": \"name\", \"type\": {\"name\": \"varchar\", \"length\": 40, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_bin\"}, \"nullable\": true}, {\"name\": \"note\", \"type\": {\"name\": \"varchar\", \"length\": 100, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_general_ci\"}, \"nullable\": false}], \"columns\": {\"id\": {\"source\": \"id\", \"target\": \"id\", \"type\": {\"name\": \"int\"}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"place\": {\"source\": \"place\", \"target\": \"place\", \"type\": {\"name\": \"int\", \"unsigned\": true}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"name\": {\"source\": \"name\", \"target\": \"name\", \"type\": {\"name\": \"varchar\", \"length\": 40, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_bin\"}, \"nullable\": true, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"note\": {\"source\": \"note\", \"target\": \"note\", \"type\": {\"name\": \"varchar\", \"length\": 100, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_general_ci\"}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}}, \"generated\": [], \"key\": [\"id\"], \"place\": \"IF(`after` IS NULL, NULL, STRUCT(CAST(CAST(`after`.`place` AS BIGINT) % 2 AS INT) AS `shard`, CAST((CAST(`after`.`place` AS BIGINT) DIV 2) % 2 AS INT) AS `part`))\", \"layout\": [\"sharded\", null, \"cfb7ba87bffab6aa9a9dbda8fc5935824f3550345711fa41b8435c5d1fc5a83f\"], \"parent\": null, \"where\": null, \"version\": null, \"deletes\": [\"until_snapshot\", null], \"write\": \"rows\", \"weight\": 10, \"ours\": [\"_sw_stage_parent\", \"_sw_gone_parent\"]}}}', '2026-11-27 07:39:25.007233')
;
CREATE TABLE `_shardwright_recent` (
  `migration` varchar(64) NOT NULL,
  `batch` bigint(20) NOT NULL,
  `from_position` longtext NOT NULL,
  `committed_at` bigint(20) DEFAULT NULL,
  `changed` longtext NOT NULL,
  PRIMARY KEY (`migration`,`batch`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
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
INSERT INTO `_shardwright_shard` VALUES ('lab', 0, '{\"source\": \"the end of the log\"}', '2026-11-27 07:39:24.873452')
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
CREATE TABLE `_shardwright_stream_ddl` (
  `migration` varchar(64) NOT NULL,
  `place` varchar(255) NOT NULL,
  `source_table` varchar(160) NOT NULL,
  `logical` varchar(64) NOT NULL,
  `statement` longtext NOT NULL,
  `decision` varchar(16) NOT NULL,
  `state` varchar(8) NOT NULL,
  `columns_after` longtext DEFAULT NULL,
  `at` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`,`place`)
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
CREATE TABLE `_shardwright_verified` (
  `migration` varchar(64) NOT NULL,
  `comparison` char(16) NOT NULL,
  `fingerprint` char(16) NOT NULL,
  `first_batch` bigint(20) NOT NULL,
  `last_batch` bigint(20) NOT NULL,
  `changed_rows` bigint(20) NOT NULL,
  `began_at` datetime(6) NOT NULL,
  `finished_at` datetime(6) DEFAULT NULL,
  `compared_rows` bigint(20) DEFAULT NULL,
  `void` text NOT NULL,
  PRIMARY KEY (`migration`,`comparison`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
CREATE TABLE `_shardwright_weight` (
  `migration` varchar(64) NOT NULL,
  `weight` int(11) NOT NULL,
  `position` longtext NOT NULL,
  PRIMARY KEY (`migration`,`weight`)
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
CREATE TABLE `child_1` (
  `id` int(11) NOT NULL,
  `line` int(11) NOT NULL,
  `place` int(10) unsigned NOT NULL,
  `note` varchar(100) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`,`line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
INSERT INTO `child_1` VALUES (2, 1, 2, '')
;
INSERT INTO `child_1` VALUES (2, 2, 2, '')
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
