CREATE TABLE orders (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  note varchar(20) NOT NUL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE items (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  order_id bigint NOT NULL,
  KEY (order_id),
  CONSTRAINT of_order FOREIGN KEY (order_id) REFERENCES orders (id),
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE customers (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  kind flower NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE log_1 (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE log_2 (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE log_3 (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  kind flower,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE audit_1 (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE audit_2 (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE payments (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE payments (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE visits (
  id bigint NOT NULL,
);
CREATE TABLE returns (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
