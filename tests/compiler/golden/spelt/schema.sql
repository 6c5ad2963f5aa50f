CREATE TABLE order_info (
  shop_code varchar(20) COLLATE utf8mb4_general_ci NOT NULL,
  order_no bigint unsigned NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (shop_code, order_no)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE order_item (
  item varchar(20) COLLATE utf8mb4_general_ci NOT NULL,
  shop varchar(30) COLLATE utf8mb4_general_ci,
  order_no int,
  note varchar(20),
  PRIMARY KEY (item),
  KEY of_order (shop, order_no)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
