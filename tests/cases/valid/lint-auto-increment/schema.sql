CREATE TABLE users (
  user_id bigint NOT NULL,
  seen bigint NOT NULL AUTO_INCREMENT,
  PRIMARY KEY (user_id),
  KEY seen (seen)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
