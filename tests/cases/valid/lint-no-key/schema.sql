CREATE TABLE visit (
  user_id bigint NOT NULL,
  at datetime(3) NOT NULL,
  PRIMARY KEY (user_id, at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
