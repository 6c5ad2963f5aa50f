CREATE TABLE `texts` (
  `id` int NOT NULL,
  `place` int unsigned NOT NULL,
  `fixed` char(40) COLLATE utf8mb4_general_ci DEFAULT NULL,
  `free` varchar(400) COLLATE utf8mb4_bin DEFAULT NULL,
  `bytes` varbinary(400) DEFAULT NULL,
  `instant` timestamp(6) NULL DEFAULT NULL,
  `digits` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `named` (
  `name` varchar(100) COLLATE utf8mb4_bin NOT NULL,
  `number` int NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `edge` (
  `id` bigint NOT NULL,
  `place` int unsigned NOT NULL,
  `note` varchar(20) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `edge_unsigned` (
  `id` bigint unsigned NOT NULL,
  `place` int unsigned NOT NULL,
  `note` varchar(20) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `crowd` (
  `prefix` varchar(10) COLLATE utf8mb4_bin NOT NULL,
  `place` int unsigned NOT NULL,
  `line` int NOT NULL,
  `note` varchar(20) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  PRIMARY KEY (`prefix`,`place`,`line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `nothing` (
  `id` int NOT NULL,
  `place` int unsigned NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `single` (
  `id` int NOT NULL,
  `place` int unsigned NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `stamped` (
  `id` int NOT NULL,
  `place` int unsigned NOT NULL,
  `mark` varchar(20) COLLATE utf8mb4_bin DEFAULT NULL,
  `note` varchar(20) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `version` bigint NOT NULL DEFAULT 0,
  `changed` timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),
  `exactly` datetime(6) NOT NULL DEFAULT current_timestamp(6) ON UPDATE current_timestamp(6),
  PRIMARY KEY (`id`),
  UNIQUE KEY `mark` (`mark`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `large` (
  `id` int NOT NULL,
  `place` int unsigned NOT NULL,
  `words` longtext COLLATE utf8mb4_bin DEFAULT NULL,
  `bytes` longblob DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE `kinds` (
  `id` int NOT NULL,
  `place` int unsigned NOT NULL,
  `a_tiny` tinyint DEFAULT NULL,
  `a_small` smallint DEFAULT NULL,
  `a_medium` mediumint DEFAULT NULL,
  `a_big` bigint DEFAULT NULL,
  `a_tiny_u` tinyint unsigned DEFAULT NULL,
  `a_small_u` smallint unsigned DEFAULT NULL,
  `a_medium_u` mediumint unsigned DEFAULT NULL,
  `an_int_u` int unsigned DEFAULT NULL,
  `a_big_u` bigint unsigned DEFAULT NULL,
  `a_decimal` decimal(65,30) DEFAULT NULL,
  `a_float` float DEFAULT NULL,
  `a_double` double DEFAULT NULL,
  `a_bit` bit(64) DEFAULT NULL,
  `an_enum` enum('x','y') COLLATE utf8mb4_bin DEFAULT NULL,
  `a_set` set('x','y') COLLATE utf8mb4_bin DEFAULT NULL,
  `a_date` date DEFAULT NULL,
  `a_time` time(6) DEFAULT NULL,
  `a_datetime` datetime(3) DEFAULT NULL,
  `a_stamp` timestamp NULL DEFAULT NULL,
  `a_year` year DEFAULT NULL,
  `a_binary` binary(4) DEFAULT NULL,
  `a_blob` blob DEFAULT NULL,
  `a_shape` geometry DEFAULT NULL,
  `in_latin1` varchar(20) CHARACTER SET latin1 COLLATE latin1_german2_ci DEFAULT NULL,
  `in_utf8mb3` varchar(20) CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci DEFAULT NULL,
  `in_ucs2` varchar(20) CHARACTER SET ucs2 COLLATE ucs2_general_ci DEFAULT NULL,
  `in_ascii` char(20) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `in_gbk` varchar(20) CHARACTER SET gbk COLLATE gbk_chinese_ci DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
