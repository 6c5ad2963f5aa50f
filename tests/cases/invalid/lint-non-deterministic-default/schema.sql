CREATE TABLE item (
  id bigint NOT NULL,
  token char(36) NOT NULL DEFAULT (uuid()),
  luck double NOT NULL DEFAULT (floor(rand() * 6)),
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
