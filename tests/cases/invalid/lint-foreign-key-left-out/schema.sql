CREATE TABLE item (
  id bigint NOT NULL,
  parent_id bigint DEFAULT NULL,
  PRIMARY KEY (id),
  KEY parent (parent_id),
  CONSTRAINT parent FOREIGN KEY (parent_id) REFERENCES item (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
