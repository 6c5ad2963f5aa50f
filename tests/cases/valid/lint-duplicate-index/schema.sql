CREATE TABLE item (
  id bigint NOT NULL,
  user_id bigint NOT NULL,
  status int NOT NULL,
  note varchar(40),
  UNIQUE KEY by_user (user_id),
  KEY by_status_user (status, user_id),
  KEY by_user_status (user_id, status),
  KEY by_note (note(5)),
  KEY by_whole_note (note),
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
