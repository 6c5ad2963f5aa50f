CREATE TABLE users (
  id bigint NOT NULL,
  number int NOT NULL,
  maybe int DEFAULT NULL,
  name varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  given int NOT NULL,
  PRIMARY KEY (id),
  KEY second (name, number)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE id_segment (
  name varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  next_id bigint NOT NULL,
  PRIMARY KEY (name)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE coupons (
  id bigint NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
