CREATE TABLE orders (
  order_id double NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE notes (
  note varchar(20) NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (note)
) DEFAULT CHARSET=utf8mb4;

CREATE TABLE kinds (
  kind enum('', 'a') NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (kind)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
