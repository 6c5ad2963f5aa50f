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
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 1, '[\"2\", \"2\"]', '[\"4\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 2, '[\"4\", \"2\"]', '[\"6\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 3, '[\"6\", \"2\"]', '[\"8\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 4, '[\"8\", \"2\"]', '[\"10\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 5, '[\"10\", \"2\"]', '[\"12\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 6, '[\"12\", \"2\"]', '[\"14\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 7, '[\"14\", \"2\"]', '[\"16\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 8, '[\"16\", \"2\"]', '[\"18\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 9, '[\"18\", \"2\"]', '[\"20\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 10, '[\"20\", \"2\"]', '[\"22\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 11, '[\"22\", \"2\"]', '[\"24\", \"2\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'child', 'lab.child', 12, '[\"24\", \"2\"]', NULL, 'done', '{\"source\": \"the end of the log\"}', 0)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'parent', 'lab.parent', 0, NULL, '[\"4\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'parent', 'lab.parent', 1, '[\"4\"]', '[\"8\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'parent', 'lab.parent', 2, '[\"8\"]', '[\"12\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'parent', 'lab.parent', 3, '[\"12\"]', '[\"16\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'parent', 'lab.parent', 4, '[\"16\"]', '[\"20\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'parent', 'lab.parent', 5, '[\"20\"]', '[\"24\"]', 'done', '{\"source\": \"the end of the log\"}', 4)
;
INSERT INTO `_shardwright_chunk` VALUES ('lab', 'parent', 'lab.parent', 6, '[\"24\"]', NULL, 'done', '{\"source\": \"the end of the log\"}', 0)
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
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 0, 2, 2, '2026-11-27 07:42:05.723029')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 1, 2, 2, '2026-11-27 07:42:07.046772')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 2, 2, 2, '2026-11-27 07:42:07.810531')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 3, 2, 2, '2026-11-27 07:42:08.461656')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 4, 2, 2, '2026-11-27 07:42:08.921935')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 5, 2, 2, '2026-11-27 07:42:09.221630')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 6, 2, 2, '2026-11-27 07:42:09.440778')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 7, 2, 2, '2026-11-27 07:42:09.961362')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 8, 2, 2, '2026-11-27 07:42:10.339766')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 9, 2, 2, '2026-11-27 07:42:11.030853')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 10, 2, 2, '2026-11-27 07:42:11.292829')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'child', 'lab.child', 11, 2, 2, '2026-11-27 07:42:11.483206')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'parent', 'lab.parent', 0, 2, 2, '2026-11-27 07:42:17.418700')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'parent', 'lab.parent', 1, 2, 2, '2026-11-27 07:42:17.095683')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'parent', 'lab.parent', 2, 2, 2, '2026-11-27 07:42:16.818898')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'parent', 'lab.parent', 3, 2, 2, '2026-11-27 07:42:18.662248')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'parent', 'lab.parent', 4, 2, 2, '2026-11-27 07:42:19.101816')
;
INSERT INTO `_shardwright_chunk_done` VALUES ('lab', 'parent', 'lab.parent', 5, 2, 2, '2026-11-27 07:42:19.942697')
;
CREATE TABLE `_shardwright_connection` (
  `migration` varchar(64) NOT NULL,
  `role` varchar(16) NOT NULL,
  `epoch` bigint(20) NOT NULL,
  `connection_id` bigint(20) NOT NULL,
  PRIMARY KEY (`migration`,`role`,`epoch`,`connection_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_connection` VALUES ('lab', 'data', 2, 98)
;
INSERT INTO `_shardwright_connection` VALUES ('lab', 'data', 2, 120)
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
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'child_0', '276f120e122914ee47f744352e9efdb4bb16963705851a914f9593cc5101caa3', 'done', '2026-11-27 07:40:35.672335', '2026-11-27 07:40:35.710133')
;
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'child_1', 'c4e4f09a7da26abd2882379b77df79c21202bc6c7de5e1b7595909839bd0eab0', 'done', '2026-11-27 07:40:35.716695', '2026-11-27 07:40:35.801031')
;
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'parent_0', '228aefc83bcc46adb601e9b78b3cc1755cc846b99355659d9ce9e2c1010cfa36', 'done', '2026-11-27 07:40:36.054070', '2026-11-27 07:40:36.065684')
;
INSERT INTO `_shardwright_ddl` VALUES ('lab', 'CREATE TABLE', 0, 'parent_1', '7f9f7f4f8fa82a6f5babf6c4cd0928ab1b2dacb85fae1b94025ee1cb91c635bd', 'done', '2026-11-27 07:40:36.067578', '2026-11-27 07:40:36.081139')
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
INSERT INTO `_shardwright_epoch` VALUES ('lab', 'data', 2, 'vm pid 15208', '2026-11-27 07:42:29.487884')
;
CREATE TABLE `_shardwright_ledger` (
  `only_row` tinyint(4) NOT NULL,
  `format` int(11) NOT NULL,
  `ledger` char(32) NOT NULL,
  `made_at` datetime(6) NOT NULL,
  PRIMARY KEY (`only_row`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_ledger` VALUES (1, 4, 'c980f1ffa2d8ccba79b80c2dd5f33554', '2026-11-27 07:40:34.798131')
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
INSERT INTO `_shardwright_member` VALUES ('lab', 'lab_0', 'c980f1ffa2d8ccba79b80c2dd5f33554', 0, 18)
;
INSERT INTO `_shardwright_member` VALUES ('lab', 'lab_1', 'c6fb97ccdd56e0e95551e7312baacd82', 1, 18)
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
INSERT INTO `_shardwright_migration` VALUES ('lab', '95c47140a0aa9bbf', '{\"source\": \"the source\'s identity\"}', '{\"source\": \"the end of the log\"}', '{\"source\": \"the end of the log\"}', 1, '{\"source\": 1795765341}', '{\"source\": \"the end of the log\"}', 1795765341, '2026-11-27 07:43:39.455543')
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
INSERT INTO `_shardwright_open` VALUES ('lab', 2, '95c47140a0aa9bbf', 'staged', '{\"source\": \"the end of the log\"}', '{\"source\": \"the end of the log\"}', '{\"source\": 1795765399}', '{\"0\": {\"child\": {\"delete\": {\"0\": 2}, \"move_out\": {\"1\": 2}, \"placed\": {\"1\": 2}, \"upsert\": {\"0\": 2}}, \"parent\": {\"delete\": {\"0\": 1}, \"move_out\": {\"1\": 1}, \"new\": {\"1\": 1}, \"upsert\": {\"0\": 1, \"1\": 1}}}, \"1\": {\"child\": {\"delete\": {\"1\": 2}, \"move_out\": {\"0\": 2}, \"placed\": {\"0\": 2, \"1\": 2}, \"upsert\": {\"1\": 2}}, \"parent\": {\"delete\": {\"1\": 1}, \"move_out\": {\"0\": 1}, \"new\": {\"0\": 1, \"1\": 1}, \"upsert\": {\"0\": 1, \"1\": 2}}}}')
;
CREATE TABLE `_shardwright_plan` (
  `migration` varchar(64) NOT NULL,
  `fingerprint` char(16) NOT NULL,
  `record` longtext NOT NULL,
  `at` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_plan` VALUES ('lab', '95c47140a0aa9bbf', '{\"databases\": [\"lab_0\", \"lab_1\"], \"dialect\": \"mariadb\", \"books\": {}, \"tables\": {\"child\": {\"aspects\": {\"source\": \"f91b5ee7828e87513c362b9f98280a4e1959381cef6a1a1c892204e35c0a1507\", \"columns\": \"eedef1f90d6d00aafa323ffba06ef25ebcc571698f1525e135af67bf4b0e3159\", \"keys\": \"04ee79d5b0b8a652c99c81479fa2b43fb9618aa6ba799f7a0b83e9dd0ce7f020\", \"settings\": \"7fa3688764a1d7dc2f8726c70f5c34a1921858af070019a260dfabc00ca51ad2\", \"sharding\": \"2b7f80fd5b0a52839755dd446b0da2d5c18fe23cefe97cda0ae6d455b22fb8c7\", \"target\": \"a2e2c672407916e65740e104fbdfd3efc61c7d51227d65b88db7de47113613db\", \"sql\": \"ab2114ffdf76f6d4ee4fdede44a6c5935f3d765e82b53c6c2967a19b00c7a969\"}, \"sources\": [\"lab.child\"], \"source_columns\": [{\"name\": \"id\", \"type\": {\"name\": \"int\"}, \"nullable\": false}, {\"name\": \"line\", \"type\": {\"name\": \"int\"}, \"nullable\": false}, {\"name\": \"place\", \"type\": {\"name\": \"int\", \"unsigned\": true}, \"nullable\": false}, {\"name\": \"note\", \"type\": {\"name\": \"varchar\", \"length\": 100, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_general_ci\"}, \"nullable\": false}], \"columns\": {\"id\": {\"source\": \"id\", \"target\": \"id\", \"type\": {\"name\": \"int\"}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"line\": {\"source\": \"line\", \"target\": \"line\", \"type\": {\"name\": \"int\"}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"place\": {\"source\": \"place\", \"target\": \"place\", \"type\": {\"name\": \"int\", \"unsigned\": true}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"note\": {\"source\": \"note\", \"target\": \"note\", \"type\": {\"name\": \"varchar\", \"length\": 100, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_general_ci\"}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}}, \"generated\": [], \"key\": [\"id\", \"line\"], \"place\": \"IF(`after` IS NULL, NULL, STRUCT(CAST(CAST(`after`.`place` AS BIGINT) % 2 AS INT) AS `shard`, CAST((CAST(`after`.`place` AS BIGINT) DIV 2) % 2 AS INT) AS `part`))\", \"layout\": [\"sharded\", null, \"cfb7ba87bffab6aa9a9dbda8fc5935824f3550345711fa41b8435c5d1fc5a83f\"], \"parent\": null, \"where\": null, \"version\": null, \"deletes\": [\"until_snapshot\", null], \"write\": \"rows\", \"weight\": 5, \"ours\": [\"_sw_stage_child\", \"_sw_gone_child\"]}, \"parent\": {\"aspects\": {\"source\": \"db1b1fc4e30c0457e8b40be918bdc4620e731b91a9b4ae4d88789813a7fd5bab\", \"columns\": \"65eec3f1a437deabe6651c8ef2201f340fa4a56d060ba1916f56879f6250aadc\", \"keys\": \"b4a751af53004d32742f82de33f0d4561ced79e2a42bfeef8eaf92b36ac56883\", \"settings\": \"b9d4ac4cc88f8489306f365aa06074c19f627339152574fc905fcea4a34d29e1\", \"sharding\": \"2b7f80fd5b0a52839755dd446b0da2d5c18fe23cefe97cda0ae6d455b22fb8c7\", \"target\": \"5f00bd5356e0d794f1d39e40c4b047bb92c745c56e810d612786f0c1a94a2d4e\", \"sql\": \"92cfda0badda22bc884a1685dde8eeba5c2a82f81e13888bb211887f0c4d7502\"}, \"sources\": [\"lab.parent\"], \"source_columns\": [{\"name\": \"id\", \"type\": {\"name\": \"int\"}, \"nullable\": false}, {\"name\": \"place\", \"type\": {\"name\": \"int\", \"unsigned\": true}, \"nullable\": false}, {\"name\": \"name\", \"type\": {\"name\": \"varchar\", \"length\": 40, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_bin\"}, \"nullable\": true}, {\"name\": \"note\", \"type\": {\"name\": \"varchar\", \"length\": 100, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_general_ci\"}, \"nullable\": false}], \"columns\": {\"id\": {\"source\": \"id\", \"target\": \"id\", \"type\": {\"name\": \"int\"}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"place\": {\"source\": \"place\", \"target\": \"place\", \"type\": {\"name\": \"int\", \"unsigned\": true}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"name\": {\"source\": \"name\", \"target\": \"name\", \"type\": {\"name\": \"varchar\", \"length\": 40, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_bin\"}, \"nullable\": true, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}, \"note\": {\"source\": \"note\", \"target\": \"note\", \"type\": {\"name\": \"varchar\", \"length\": 100, \"charset\": \"utf8mb4\", \"collation\": \"utf8mb4_general_ci\"}, \"nullable\": false, \"mapping\": \"copied\", \"reversibility\": \"lossless\"}}, \"generated\": [], \"key\": [\"id\"], \"place\": \"IF(`after` IS NULL, NULL, STRUCT(CAST(CAST(`after`.`place` AS BIGINT) % 2 AS INT) AS `shard`, CAST((CAST(`after`.`place` AS BIGINT) DIV 2) % 2 AS INT) AS `part`))\", \"layout\": [\"sharded\", null, \"cfb7ba87bffab6aa9a9dbda8fc5935824f3550345711fa41b8435c5d1fc5a83f\"], \"parent\": null, \"where\": null, \"version\": null, \"deletes\": [\"until_snapshot\", null], \"write\": \"rows\", \"weight\": 10, \"ours\": [\"_sw_stage_parent\", \"_sw_gone_parent\"]}}}', '2026-11-27 07:40:36.620060')
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
INSERT INTO `_shardwright_recent` VALUES ('lab', 1, '{\"source\": \"the end of the log\"}', 1795765341, '{\"child\": 1, \"parent\": 1}')
;
INSERT INTO `_shardwright_recent` VALUES ('lab', 2, '{\"source\": \"the end of the log\"}', 1795765399, '{\"child\": 18, \"parent\": 9}')
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
INSERT INTO `_shardwright_recent_keys` VALUES ('lab', 2, 'child', 0, X'ffffffff380100001000000000000a000c000600050008000a000000000104000c0000000800080000000400080000000400000004000000d000000084000000300000000400000050ffffff00000105100000001800000004000000000000000700000076657273696f6e0038ffffff78ffffff0000010c1400000018000000040000000100000010000000030000006b65790060ffffffa0ffffff000001051000000018000000040000000000000007000000656c656d656e740088ffffffc8ffffff000001021000000020000000040000000000000004000000706172740000000008000c0008000700080000000000000120000000100014000800060007000c00000010001000000000000105100000002400000004000000000000000c000000736f757263655f7461626c6500000000040004000400000000000000ffffffff9001000014000000000000000c0018000600050008000c000c000000000304001c0000003801000000000000000000000c001e001000040008000c000c000000000100002400000018000000040000000000000000000000000006000800070006000000000000010d000000000000000000000000000000000000000000000000000000250000000000000028000000000000002000000000000000480000000000000000000000000000004800000000000000260000000000000070000000000000000000000000000000700000000000000025000000000000009800000000000000000000000000000098000000000000003500000000000000d0000000000000002b0000000000000000010000000000001200000000000000180100000000000019000000000000003801000000000000000000000000000000000000050000000400000000000000000000000000000004000000000000000000000000000000040000000000000000000000000000000800000000000000000000000000000004000000000000000400000000000000140000000000000028b52ffd2014a100000000000009000000120000001b00000024000000000000400000000000000028b52ffd20407d0000486c61622e6368696c640100e4598e300000000000000028b52ffd2030ad0000380000010100000005003b0998c90110d8e53b002c0000140000000000000028b52ffd2014a100000000000002000000040000000600000008000000000000240000000000000028b52ffd2024210100000000000100000002000000030000000400000007000000080000000b0000000c0000000000001a0000000000000028b52ffd201ad1000035313532313032313130323234313432323132323531303234320000000000010000000000000028b52ffd200109000000000000000000140000000000000028b52ffd201445000010000001001ec00200000000000000ffffffff9001000014000000000000000c0018000600050008000c000c000000000304001c0000003001000000000000000000000c001e001000040008000c000c000000000100002400000018000000040000000000000000000000000006000800070006000000000000010d00000000000000000000000000000000000000000000000000000025000000000000002800000000000000280000000000000050000000000000000000000000000000500000000000000021000000000000007800000000000000000000000000000078000000000000002500000000000000a0000000000000000000000000000000a0000000000000003500000000000000d8000000000000001f00000000000000f8000000000000001200000000000000100100000000000019000000000000003001000000000000000000000000000000000000050000000400000000000000000000000000000004000000000000000000000000000000040000000000000000000000000000000800000000000000000000000000000004000000000000000400000000000000140000000000000028b52ffd2014a100000000000009000000120000001b00000024000000000000400000000000000028b52ffd2040bd0000786c61622e6368696c64706172656e7402002d5e61538e100000000000000028b52ffd20108100000000000000000000010000000100000000000000000000140000000000000028b52ffd2014a100000000000002000000040000000600000008000000000000240000000000000028b52ffd20242101000000000001000000020000000300000004000000050000000600000007000000080000000000000e0000000000000028b52ffd200e710000343134323231323235313032343200010000000000000028b52ffd200109000000000000000000140000000000000028b52ffd201445000010000001001ec00200000000000000ffffffff00000000')
;
INSERT INTO `_shardwright_recent_keys` VALUES ('lab', 2, 'parent', 0, X'ffffffff380100001000000000000a000c000600050008000a000000000104000c0000000800080000000400080000000400000004000000d000000084000000300000000400000050ffffff00000105100000001800000004000000000000000700000076657273696f6e0038ffffff78ffffff0000010c1400000018000000040000000100000010000000030000006b65790060ffffffa0ffffff000001051000000018000000040000000000000007000000656c656d656e740088ffffffc8ffffff000001021000000020000000040000000000000004000000706172740000000008000c0008000700080000000000000120000000100014000800060007000c00000010001000000000000105100000002400000004000000000000000c000000736f757263655f7461626c6500000000040004000400000000000000ffffffff9001000014000000000000000c0018000600050008000c000c000000000304001c000000f800000000000000000000000c001e001000040008000c000c000000000100002400000018000000020000000000000000000000000006000800070006000000000000010d0000000000000000000000000000000000000000000000000000001d000000000000002000000000000000210000000000000048000000000000000000000000000000480000000000000019000000000000006800000000000000000000000000000068000000000000001d000000000000008800000000000000000000000000000088000000000000001d00000000000000a8000000000000001700000000000000c0000000000000001200000000000000d8000000000000001d00000000000000f8000000000000000000000000000000000000000500000002000000000000000000000000000000020000000000000000000000000000000200000000000000000000000000000002000000000000000000000000000000020000000000000002000000000000000c0000000000000028b52ffd200c610000000000000a00000014000000000000280000000000000028b52ffd2028850000506c61622e706172656e740100150b1200000000000000080000000000000028b52ffd20084100000000000001000000000000000000000c0000000000000028b52ffd200c6100000000000001000000020000000000000c0000000000000028b52ffd200c610000000000000100000004000000000000060000000000000028b52ffd200631000035313032343200010000000000000028b52ffd2001090000000000000000000c0000000000000028b52ffd200c610000000000000000000000000000000000ffffffff9001000014000000000000000c0018000600050008000c000c000000000304001c000000f800000000000000000000000c001e001000040008000c000c000000000100002400000018000000020000000000000000000000000006000800070006000000000000010d0000000000000000000000000000000000000000000000000000001d000000000000002000000000000000250000000000000048000000000000000000000000000000480000000000000019000000000000006800000000000000000000000000000068000000000000001d000000000000008800000000000000000000000000000088000000000000001d00000000000000a8000000000000001300000000000000c0000000000000001200000000000000d8000000000000001d00000000000000f8000000000000000000000000000000000000000500000002000000000000000000000000000000020000000000000000000000000000000200000000000000000000000000000002000000000000000000000000000000020000000000000002000000000000000c0000000000000028b52ffd200c610000000000000a00000014000000000000140000000000000028b52ffd2014a100006c61622e706172656e746c61622e706172656e74000000080000000000000028b52ffd20084100000000000001000000000000000000000c0000000000000028b52ffd200c6100000000000001000000020000000000000c0000000000000028b52ffd200c610000000000000100000002000000000000020000000000000028b52ffd200211000034320000000000010000000000000028b52ffd2001090000000000000000000c0000000000000028b52ffd200c610000000000000000000000000000000000ffffffff00000000')
;
CREATE TABLE `_shardwright_shard` (
  `migration` varchar(64) NOT NULL,
  `batch` bigint(20) NOT NULL,
  `position` longtext NOT NULL,
  `applied_at` datetime(6) NOT NULL,
  PRIMARY KEY (`migration`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
;
INSERT INTO `_shardwright_shard` VALUES ('lab', 0, '{\"source\": \"the end of the log\"}', '2026-11-27 07:40:36.352786')
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
INSERT INTO `_shardwright_step` VALUES ('lab', 2, 'stage', '{\"child\": {\"delete\": {\"0\": 2}, \"move_out\": {\"1\": 2}, \"placed\": {\"1\": 2}, \"upsert\": {\"0\": 2}}, \"parent\": {\"delete\": {\"0\": 1}, \"move_out\": {\"1\": 1}, \"new\": {\"1\": 1}, \"upsert\": {\"0\": 1, \"1\": 1}}}', '2026-11-27 07:43:41.557699')
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
INSERT INTO `_shardwright_weight` VALUES ('lab', 10, '{\"source\": \"the end of the log\"}')
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
INSERT INTO `_sw_stage_child` VALUES (2, 0, 'delete', 2, 1, 25207, 0, 0, NULL, 4, 1, NULL, NULL)
;
INSERT INTO `_sw_stage_child` VALUES (2, 0, 'delete', 3, 1, 25207, 1, 0, NULL, 4, 2, NULL, NULL)
;
INSERT INTO `_sw_stage_child` VALUES (2, 0, 'upsert', 0, 1, 25830, 0, 0, NULL, 5, 1, 0, 'moved')
;
INSERT INTO `_sw_stage_child` VALUES (2, 0, 'upsert', 1, 1, 25830, 1, 0, NULL, 5, 2, 0, 'moved')
;
INSERT INTO `_sw_stage_child` VALUES (2, 1, 'move_out', 4, 1, 24466, 0, 0, NULL, 2, 1, NULL, NULL)
;
INSERT INTO `_sw_stage_child` VALUES (2, 1, 'move_out', 5, 1, 24466, 1, 0, NULL, 2, 2, NULL, NULL)
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
INSERT INTO `_sw_stage_parent` VALUES (2, 0, 'delete', 2, 1, 25379, 0, 0, NULL, 4, NULL, NULL, NULL)
;
INSERT INTO `_sw_stage_parent` VALUES (2, 0, 'upsert', 0, 1, 25633, 0, 0, NULL, 5, 0, 'n5', 'moved')
;
INSERT INTO `_sw_stage_parent` VALUES (2, 1, 'move_out', 3, 1, 24269, 0, 0, NULL, 2, NULL, NULL, NULL)
;
INSERT INTO `_sw_stage_parent` VALUES (2, 1, 'upsert', 1, 1, 26058, 0, 0, NULL, 102, 2, 'n102', '')
;
CREATE TABLE `child_0` (
  `id` int(11) NOT NULL,
  `line` int(11) NOT NULL,
  `place` int(10) unsigned NOT NULL,
  `note` varchar(100) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`,`line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
;
INSERT INTO `child_0` VALUES (4, 1, 0, '')
;
INSERT INTO `child_0` VALUES (4, 2, 0, '')
;
INSERT INTO `child_0` VALUES (8, 1, 0, '')
;
INSERT INTO `child_0` VALUES (8, 2, 0, '')
;
INSERT INTO `child_0` VALUES (12, 1, 0, '')
;
INSERT INTO `child_0` VALUES (12, 2, 0, '')
;
INSERT INTO `child_0` VALUES (16, 1, 0, '')
;
INSERT INTO `child_0` VALUES (16, 2, 0, '')
;
INSERT INTO `child_0` VALUES (20, 1, 0, '')
;
INSERT INTO `child_0` VALUES (20, 2, 0, '')
;
INSERT INTO `child_0` VALUES (24, 1, 0, '')
;
INSERT INTO `child_0` VALUES (24, 2, 0, '')
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
INSERT INTO `child_1` VALUES (6, 1, 2, '')
;
INSERT INTO `child_1` VALUES (6, 2, 2, '')
;
INSERT INTO `child_1` VALUES (10, 1, 2, '')
;
INSERT INTO `child_1` VALUES (10, 2, 2, '')
;
INSERT INTO `child_1` VALUES (14, 1, 2, '')
;
INSERT INTO `child_1` VALUES (14, 2, 2, '')
;
INSERT INTO `child_1` VALUES (18, 1, 2, '')
;
INSERT INTO `child_1` VALUES (18, 2, 2, '')
;
INSERT INTO `child_1` VALUES (22, 1, 2, '')
;
INSERT INTO `child_1` VALUES (22, 2, 2, '')
;
INSERT INTO `child_1` VALUES (102, 1, 2, '')
;
INSERT INTO `child_1` VALUES (102, 2, 2, '')
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
INSERT INTO `parent_0` VALUES (4, 0, 'n4', '')
;
INSERT INTO `parent_0` VALUES (8, 0, 'n8', '')
;
INSERT INTO `parent_0` VALUES (12, 0, 'n12', '')
;
INSERT INTO `parent_0` VALUES (16, 0, 'n16', '')
;
INSERT INTO `parent_0` VALUES (20, 0, 'n20', '')
;
INSERT INTO `parent_0` VALUES (24, 0, 'n24', '')
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
INSERT INTO `parent_1` VALUES (2, 2, 'n2', '')
;
INSERT INTO `parent_1` VALUES (6, 2, 'n6', '')
;
INSERT INTO `parent_1` VALUES (10, 2, 'n10', '')
;
INSERT INTO `parent_1` VALUES (14, 2, 'n14', '')
;
INSERT INTO `parent_1` VALUES (18, 2, 'n18', '')
;
INSERT INTO `parent_1` VALUES (22, 2, 'n22', '')
;
