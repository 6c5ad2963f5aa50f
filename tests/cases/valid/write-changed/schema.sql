CREATE TABLE person (
  id bigint unsigned NOT NULL,
  version int NOT NULL,
  name varchar(40),
  street varchar(40),
  town varchar(40),
  country varchar(40),
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE region (
  id int NOT NULL,
  name varchar(40),
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
