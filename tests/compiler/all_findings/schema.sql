CREATE TABLE orders (
  order_id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE items (
  item_id bigint NOT NULL,
  order_id bigint NOT NULL,
  PRIMARY KEY (item_id),
  KEY of_order (order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE payments (
  payment_id bigint NOT NULL,
  code char(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  user_id int unsigned NOT NULL,
  amount int NOT NULL,
  doubled int GENERATED ALWAYS AS (amount * 2) STORED,
  email varchar(60) NULL,
  PRIMARY KEY (payment_id),
  UNIQUE KEY by_code (code)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE stores (
  store_id int NOT NULL,
  region varchar(20) NOT NULL,
  PRIMARY KEY (store_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE visits (
  visit_id bigint NOT NULL,
  name varchar(40) NOT NULL,
  status tinyint NOT NULL,
  since datetime NOT NULL,
  changed datetime(6) NOT NULL,
  PRIMARY KEY (visit_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE log_1 (
  line varchar(40) NOT NULL PRIMARY KEY
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE log_2 (
  line varchar(40) NOT NULL PRIMARY KEY
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE log_old (
  line varchar(40) NOT NULL PRIMARY KEY
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE countries (
  iso char(2) NOT NULL PRIMARY KEY
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE settings (
  id int NOT NULL PRIMARY KEY
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE scratch (
  id int NOT NULL PRIMARY KEY
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
