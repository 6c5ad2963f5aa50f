CREATE TABLE item (
  id bigint NOT NULL,
  code bigint NOT NULL,
  UNIQUE KEY code (code),
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE log (
  entry bigint NOT NULL,
  UNIQUE KEY entry (entry)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
