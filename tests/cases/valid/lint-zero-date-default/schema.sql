CREATE TABLE item (
  id bigint NOT NULL,
  sent_at datetime NOT NULL DEFAULT '1970-01-01 00:00:00',
  day varchar(10) DEFAULT '0000-00-00',
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
