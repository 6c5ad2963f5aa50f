CREATE TABLE orders (
  id bigint NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE payment (
  id bigint NOT NULL,
  order_id bigint DEFAULT NULL,
  refund_of bigint DEFAULT NULL,
  PRIMARY KEY (id),
  CONSTRAINT paid FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT refunded FOREIGN KEY (refund_of) REFERENCES orders (id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
