CREATE TABLE orders (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE items (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  order_id bigint NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE payments (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE refunds (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  item_id bigint NOT NULL,
  CONSTRAINT of_item FOREIGN KEY (item_id) REFERENCES items (id),
  KEY (item_id),
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
