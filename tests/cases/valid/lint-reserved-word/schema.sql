CREATE TABLE item (
  id bigint NOT NULL,
  `rank` int,
  place int,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
