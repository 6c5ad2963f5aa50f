CREATE TABLE orders (
  order_id bigint NOT NULL,
  user_id bigint NOT NULL,
  `` varchar(200),
  updated_at datetime(6) NOT NULL,
  KEY `a
b` (updated_at),
  PRIMARY KEY (order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
