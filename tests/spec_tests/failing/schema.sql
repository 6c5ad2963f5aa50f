CREATE TABLE orders (
  id bigint NOT NULL PRIMARY KEY,
  user_id bigint unsigned NOT NULL,
  amt decimal(8,2) NOT NULL DEFAULT 1.50,
  state enum('new','paid') NOT NULL,
  placed datetime NULL,
  note varchar(5)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE line_0 (id bigint NOT NULL PRIMARY KEY, user_id bigint unsigned NOT NULL) DEFAULT CHARSET=utf8mb4;
CREATE TABLE line_1 (id bigint NOT NULL PRIMARY KEY, user_id bigint unsigned NOT NULL) DEFAULT CHARSET=utf8mb4;
