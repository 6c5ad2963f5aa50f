CREATE TABLE visit (
  user_id bigint NOT NULL,
  page varchar(200) NOT NULL,
  at datetime(3) DEFAULT NULL,
  seconds float DEFAULT NULL,
  ip varbinary(16) DEFAULT NULL,
  KEY at (at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE greeting (
  word varchar(20) DEFAULT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
