CREATE TABLE orders (
  order_id BIGINT NOT NULL,
  user_id BIGINT UNSIGNED NOT NULL,
  note VARCHAR(200), -- shardwright: ignore[SW4001] because nobody searches notes on the shards
  PRIMARY KEY (order_id),
  KEY by_note (note)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
