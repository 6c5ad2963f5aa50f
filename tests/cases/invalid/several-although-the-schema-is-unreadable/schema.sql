CREATE TABLE orders (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE items (
  note varchar(20) DEFAULT 'open
);
