CREATE TABLE orders (
  order_id int unsigned NOT NULL,
  user_id bigint NOT NULL,
  code varchar(20) NOT NULL,
  country varchar(8),
  status enum('new','paid','void') NOT NULL,
  amount decimal(10,2) NOT NULL,
  weight float,
  phone varchar(20),
  token varbinary(16),
  lasted time(3),
  created_at datetime(6) NOT NULL,
  doubled int AS (order_id * 2),
  PRIMARY KEY (order_id),
  UNIQUE KEY by_code (code)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
