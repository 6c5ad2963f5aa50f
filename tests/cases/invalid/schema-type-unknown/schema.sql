CREATE TABLE orders (
  order_id bigint NOT NULL,
  user_id bigint NOT NULL,
  note xmltype,
  updated_at datetime(6) NOT NULL,
  PRIMARY KEY (order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
