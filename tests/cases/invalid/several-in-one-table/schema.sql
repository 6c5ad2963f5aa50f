CREATE TABLE orders (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  status varchar(10) NOT NULL,
  price int NOT NULL,
  total int GENERATED ALWAYS AS (price * 2) STORED,
  email varchar(40) NULL,
  changed datetime NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
