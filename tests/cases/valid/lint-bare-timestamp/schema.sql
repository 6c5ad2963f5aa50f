CREATE TABLE item (
  id bigint NOT NULL,
  seen timestamp NULL,
  made datetime,
  changed timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
