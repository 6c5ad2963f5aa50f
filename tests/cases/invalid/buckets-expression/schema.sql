CREATE TABLE orders (
  user_id INT UNSIGNED NOT NULL,
  order_id BIGINT NOT NULL,
  PRIMARY KEY (user_id, order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
