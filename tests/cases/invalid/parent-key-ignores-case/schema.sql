CREATE TABLE orders (
  order_id varchar(20) NOT NULL,
  user_id bigint unsigned NOT NULL,
  PRIMARY KEY (order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE notes (
  note_id bigint NOT NULL,
  order_id varchar(20) NOT NULL,
  PRIMARY KEY (note_id),
  KEY by_order (order_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
