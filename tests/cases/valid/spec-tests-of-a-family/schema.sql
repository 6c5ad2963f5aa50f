CREATE TABLE parent (id int NOT NULL PRIMARY KEY, place int NOT NULL) DEFAULT CHARSET=utf8mb4;
CREATE TABLE child (
  id bigint NOT NULL PRIMARY KEY,
  parent_id int NULL,
  note varchar(5) NOT NULL DEFAULT '',
  KEY of_parent (parent_id)
) DEFAULT CHARSET=utf8mb4;
