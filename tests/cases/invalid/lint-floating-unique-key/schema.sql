CREATE TABLE item (
  id bigint NOT NULL,
  rate double NOT NULL,
  UNIQUE KEY rate (rate),
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
