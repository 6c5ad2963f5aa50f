CREATE TABLE orders (
  order_id bigint NOT NULL,
  user_id bigint NOT NULL,
  region varchar(200) NOT NULL,
  made date NOT NULL,
  PRIMARY KEY (order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
