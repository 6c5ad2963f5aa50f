CREATE TABLE item (
  id bigint NOT NULL,
  rate decimal(9,4) NOT NULL,
  UNIQUE KEY rate (rate),
  weight double,
  KEY weight (weight),
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
