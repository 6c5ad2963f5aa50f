CREATE TABLE item (
  id bigint NOT NULL,
  user_id bigint NOT NULL,
  status int NOT NULL,
  KEY by_user (user_id),
  KEY by_user_status (user_id, status),
  KEY again (id),
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
