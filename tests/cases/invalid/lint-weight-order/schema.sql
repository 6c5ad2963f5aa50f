CREATE TABLE orders (
  user_id bigint NOT NULL,
  order_id bigint NOT NULL,
  PRIMARY KEY (user_id, order_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE order_item (
  user_id bigint NOT NULL,
  order_id bigint NOT NULL,
  line smallint NOT NULL,
  PRIMARY KEY (user_id, order_id, line),
  CONSTRAINT item_order FOREIGN KEY (user_id, order_id) REFERENCES orders (user_id, order_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
