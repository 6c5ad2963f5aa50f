CREATE TABLE orders (
  order_id BIGINT NOT NULL,
  user_id BIGINT UNSIGNED NOT NULL,
  note VARCHAR(200),
  PRIMARY KEY (order_id),
  KEY by_note (note)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
