CREATE TABLE item (
  id bigint NOT NULL,
  sent_at datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  day date DEFAULT '2000-00-01',
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
