CREATE TABLE orders (
  order_id bigint unsigned NOT NULL,
  user_id bigint unsigned NOT NULL,
  PRIMARY KEY (order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE items (
  item_id bigint NOT NULL,
  order_id int NULL,
  PRIMARY KEY (item_id),
  KEY by_order (order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE notes (
  order_id bigint unsigned NOT NULL,
  line int NOT NULL,
  PRIMARY KEY (order_id, line)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
