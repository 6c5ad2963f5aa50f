CREATE TABLE item (
  a bigint NOT NULL,
  b bigint NOT NULL,
  PRIMARY KEY (a, b)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
