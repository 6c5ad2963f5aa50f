CREATE TABLE account (
  number varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
  owner bigint unsigned NOT NULL,
  secret varchar(20),
  title varchar(40),
  edits int unsigned NOT NULL,
  picture varbinary(40)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE line_0 (
  order_id bigint NOT NULL,
  position tinyint unsigned NOT NULL,
  shop_id varchar(12) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL,
  price decimal(9,2),
  changed_at timestamp(3) NULL,
  PRIMARY KEY (order_id, position)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE line_1 (
  order_id bigint NOT NULL,
  position tinyint unsigned NOT NULL,
  shop_id varchar(12) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL,
  price decimal(9,2),
  changed_at timestamp(3) NULL,
  PRIMARY KEY (order_id, position)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE country (
  code char(2) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  name varchar(60) NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE job (
  id binary(4) NOT NULL PRIMARY KEY,
  `select from` text
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE kinds (
  id mediumint NOT NULL PRIMARY KEY,
  a tinyint(1), b smallint unsigned, c mediumint unsigned, d int, e bigint,
  f float, g double, h decimal(38,10), i decimal(65,0), j bit(10), k year,
  l date, m datetime, n datetime(6), o timestamp NULL, p time(2),
  q char(3), r tinytext, s text, t longtext, u binary(3), v varbinary(5), w tinyblob, x blob, y longblob,
  z enum('a','b''c','d'), aa set('x','y','z'), ab json, ac geometry,
  ad uuid, ae inet4, af inet6
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
