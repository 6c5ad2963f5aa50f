CREATE TABLE parent (
  id varchar(10) NOT NULL PRIMARY KEY,
  place int unsigned NOT NULL,
  name varchar(10) NOT NULL DEFAULT '',
  shown decimal(8,2) NOT NULL DEFAULT 0,
  origin varchar(10) NOT NULL,
  seen datetime NULL,
  label varchar(30) AS (CONCAT(name, '!'))
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE child (
  id bigint NOT NULL PRIMARY KEY,
  parent_id varchar(10) NULL,
  note varchar(10) NOT NULL DEFAULT '',
  kept varchar(10) NULL DEFAULT 'dear',
  KEY of_parent (parent_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE line_0 (id bigint NOT NULL PRIMARY KEY, place int unsigned NOT NULL, note varchar(10)) DEFAULT CHARSET=utf8mb4;
CREATE TABLE line_1 (id bigint NOT NULL PRIMARY KEY, place int unsigned NOT NULL, note varchar(10)) DEFAULT CHARSET=utf8mb4;
CREATE TABLE region (code int NOT NULL PRIMARY KEY, name varchar(20) NOT NULL) DEFAULT CHARSET=utf8mb4;
