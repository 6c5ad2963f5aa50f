CREATE TABLE orders (
  order_no varchar(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  user_id bigint unsigned NOT NULL,
  PRIMARY KEY (order_no)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE items (
  item_id bigint NOT NULL,
  order_no varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (item_id),
  KEY by_order (order_no)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
