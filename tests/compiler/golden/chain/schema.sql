CREATE TABLE customer (
  code char(4) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (code)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE order_info (
  shop varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  order_no bigint unsigned NOT NULL,
  total decimal(12,2) NOT NULL,
  PRIMARY KEY (shop, order_no)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE order_line (
  line varchar(20) COLLATE utf8mb4_general_ci NOT NULL,
  shop varchar(10) CHARACTER SET ascii COLLATE ascii_bin,
  order_no bigint unsigned,
  cancelled tinyint NOT NULL,
  PRIMARY KEY (line),
  KEY of_order (shop, order_no)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE line_note (
  note_id int NOT NULL,
  line varchar(20) COLLATE utf8mb4_general_ci NOT NULL,
  text varchar(200),
  PRIMARY KEY (note_id),
  KEY of_line (line)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
