CREATE TABLE orders (
  order_id bigint NOT NULL,
  user_id bigint NOT NULL,
  phone varchar(20),
  updated_at datetime(6) NOT NULL,
  day date GENERATED ALWAYS AS (CAST(updated_at AS DATE)) STORED,
  user_hash bigint GENERATED ALWAYS AS (user_id % 1000) STORED NOT NULL,
  digits int AS (char_length(phone)),
  last_digits varchar(4) GENERATED ALWAYS AS (right(phone, 4)) VIRTUAL,
  PRIMARY KEY (order_id),
  UNIQUE KEY by_digits (last_digits)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE carts (
  cart_id bigint NOT NULL,
  code bigint GENERATED ALWAYS AS (cart_id * 7) STORED NOT NULL,
  note varchar(20),
  short varchar(9) AS (left(note, 9)) VIRTUAL,
  PRIMARY KEY (code)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE users (
  user_id bigint NOT NULL PRIMARY KEY,
  half bigint AS (user_id div 2) STORED
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE items (
  item_id bigint NOT NULL PRIMARY KEY,
  cart bigint AS (item_id div 100) STORED
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
