CREATE TABLE order_info (
  shop_code char(4) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  order_no bigint unsigned NOT NULL,
  user_id bigint NOT NULL,
  total decimal(12,2) NOT NULL,
  PRIMARY KEY (shop_code, order_no)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE order_item (
  item_id int NOT NULL,
  shop_code char(4) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  order_no bigint unsigned NOT NULL,
  line int NOT NULL,
  payload varbinary(20),
  PRIMARY KEY (item_id),
  UNIQUE KEY one_line (shop_code, order_no, line)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE order_note (
  note_id varchar(20) NOT NULL,
  shop varchar(4) CHARACTER SET ascii COLLATE ascii_bin,
  no int,
  text varchar(200),
  updated_at datetime(6) NOT NULL,
  PRIMARY KEY (note_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
