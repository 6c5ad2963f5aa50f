CREATE TABLE parent (
  id varchar(10) NOT NULL PRIMARY KEY,
  place int unsigned NOT NULL,
  name varchar(10) NOT NULL DEFAULT ''
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE child (
  id bigint NOT NULL PRIMARY KEY,
  parent_id varchar(10) NULL,
  note varchar(10) NOT NULL DEFAULT '',
  KEY of_parent (parent_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE detail (
  `of` varchar(10) NOT NULL,
  line int NOT NULL,
  amount decimal(8,2) NOT NULL DEFAULT 0,
  PRIMARY KEY (`of`, line)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
