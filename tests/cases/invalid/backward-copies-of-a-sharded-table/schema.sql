CREATE TABLE item (
  id int unsigned NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (user_id, id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
