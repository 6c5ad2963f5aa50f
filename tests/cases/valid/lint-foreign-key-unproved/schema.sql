CREATE TABLE orders (
  user_id bigint NOT NULL,
  order_id bigint NOT NULL,
  PRIMARY KEY (user_id, order_id),
  KEY order_id (order_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE payment (
  user_id bigint NOT NULL,
  payment_id bigint NOT NULL,
  order_id bigint NOT NULL,
  PRIMARY KEY (user_id, payment_id),
  CONSTRAINT payment_order FOREIGN KEY (user_id, order_id) REFERENCES orders (user_id, order_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
