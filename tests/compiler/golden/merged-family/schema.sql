CREATE TABLE customer (
  id int NOT NULL PRIMARY KEY,
  user_id bigint NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE orders_a (
  code varchar(20) COLLATE utf8mb4_general_ci NOT NULL PRIMARY KEY,
  customer_id bigint,
  total decimal(12,2) NOT NULL,
  KEY of_customer (customer_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE orders_b (
  code varchar(20) COLLATE utf8mb4_general_ci NOT NULL PRIMARY KEY,
  customer_id bigint,
  total decimal(12,2) NOT NULL,
  KEY of_customer (customer_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE line (
  order_code varchar(20) COLLATE utf8mb4_general_ci NOT NULL,
  number int NOT NULL,
  note varchar(200),
  PRIMARY KEY (order_code, number)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE remark (
  id int NOT NULL PRIMARY KEY,
  order_code varchar(20) COLLATE utf8mb4_general_ci,
  number int,
  KEY of_line (order_code, number)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE account (
  id int NOT NULL PRIMARY KEY,
  user_id bigint NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE entry (
  id int NOT NULL PRIMARY KEY,
  account_id int,
  KEY of_account (account_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
