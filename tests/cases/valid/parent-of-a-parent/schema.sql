CREATE TABLE customers (
  customer_id int unsigned NOT NULL,
  user_id int NOT NULL,
  PRIMARY KEY (customer_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE orders (
  order_id int unsigned NOT NULL,
  customer_id int unsigned NULL,
  PRIMARY KEY (order_id),
  KEY by_customer (customer_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE items (
  order_id int unsigned NOT NULL,
  line int NOT NULL,
  PRIMARY KEY (order_id, line)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
