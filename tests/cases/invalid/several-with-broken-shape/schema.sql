CREATE TABLE orders (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  about json,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE items (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE payments (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  amount int NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE visits (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE refunds (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  kind flower NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE stores (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE members (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
