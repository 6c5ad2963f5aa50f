CREATE TABLE item (
  id bigint NOT NULL,
  token char(36) NOT NULL DEFAULT ('uuid()'),
  made datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  size int NOT NULL DEFAULT (1 + 1),
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
