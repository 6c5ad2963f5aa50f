CREATE TABLE customer (
  id varchar(10) NOT NULL PRIMARY KEY,
  place int unsigned NOT NULL,
  note varchar(10) NOT NULL DEFAULT ''
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE orders (
  id int NOT NULL PRIMARY KEY,
  customer_id varchar(12) NULL,
  note varchar(10) NOT NULL DEFAULT '',
  KEY of_customer (customer_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE line_a (
  order_id bigint NOT NULL,
  number int NOT NULL,
  note varchar(10) NOT NULL DEFAULT '',
  PRIMARY KEY (order_id, number)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE line_b (
  order_id bigint NOT NULL,
  number int NOT NULL,
  note varchar(10) NOT NULL DEFAULT '',
  PRIMARY KEY (order_id, number)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE remark (
  id int NOT NULL PRIMARY KEY,
  order_id int NULL,
  number int NULL,
  note varchar(10) NOT NULL DEFAULT '',
  KEY of_line (order_id, number)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE account (
  id int NOT NULL PRIMARY KEY,
  place int unsigned NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE entry (
  id int NOT NULL PRIMARY KEY,
  account_id int NULL,
  note varchar(10) NOT NULL DEFAULT '',
  KEY of_account (account_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
