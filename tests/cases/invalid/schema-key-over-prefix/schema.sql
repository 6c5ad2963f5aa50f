CREATE TABLE orders (
  order_id bigint NOT NULL,
  user_id bigint NOT NULL,
  note varchar(200),
  updated_at datetime(6) NOT NULL,
  UNIQUE KEY o (order_id),
  PRIMARY KEY (note(10))
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
