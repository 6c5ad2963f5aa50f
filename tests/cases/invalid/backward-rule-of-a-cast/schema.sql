CREATE TABLE item_0 (
  id int unsigned NOT NULL,
  user_id bigint NOT NULL,
  size int unsigned NOT NULL,
  PRIMARY KEY (user_id, id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE item_1 (
  id int unsigned NOT NULL,
  user_id bigint NOT NULL,
  size int unsigned NOT NULL,
  PRIMARY KEY (user_id, id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
