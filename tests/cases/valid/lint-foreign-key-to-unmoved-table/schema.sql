CREATE TABLE country (
  id int NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE item (
  id bigint NOT NULL,
  country_id int NOT NULL,
  PRIMARY KEY (id),
  KEY country_id (country_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
