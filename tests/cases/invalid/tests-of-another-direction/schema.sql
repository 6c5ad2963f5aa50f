CREATE TABLE orders (
  id bigint unsigned NOT NULL PRIMARY KEY,
  user_id int unsigned NOT NULL,
  amt decimal(8,2) NOT NULL DEFAULT 1.50,
  remark varchar(20) NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE line_0 (id bigint unsigned NOT NULL PRIMARY KEY, user_id int unsigned NOT NULL) DEFAULT CHARSET=utf8mb4;
CREATE TABLE line_1 (id bigint unsigned NOT NULL PRIMARY KEY, user_id int unsigned NOT NULL) DEFAULT CHARSET=utf8mb4;
CREATE TABLE region (code int NOT NULL PRIMARY KEY, name varchar(20) NOT NULL) DEFAULT CHARSET=utf8mb4;
