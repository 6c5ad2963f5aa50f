CREATE TABLE item (
  id bigint NOT NULL,
  a int,
  PRIMARY KEY (id)
) ENGINE=Aria DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
