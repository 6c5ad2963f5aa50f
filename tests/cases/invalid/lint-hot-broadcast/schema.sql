CREATE TABLE users (
  user_id bigint NOT NULL,
  PRIMARY KEY (user_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE setting (
  user_id bigint NOT NULL,
  name varchar(9) COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (user_id, name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
