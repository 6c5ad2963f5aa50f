CREATE TABLE shop (
  shop_id bigint NOT NULL,
  PRIMARY KEY (shop_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE visit (
  user_id bigint NOT NULL,
  day date NOT NULL,
  shop_id bigint NOT NULL REFERENCES shop (shop_id),
  PRIMARY KEY (user_id, day)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
