CREATE TABLE orders_a (
  order_id bigint NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (user_id, order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE orders_b (
  order_id bigint NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (user_id, order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE items (
  user_id bigint NOT NULL,
  order_id bigint NOT NULL,
  line int NOT NULL,
  PRIMARY KEY (user_id, order_id, line)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
