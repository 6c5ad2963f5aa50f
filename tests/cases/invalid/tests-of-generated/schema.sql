CREATE TABLE orders (
  order_id bigint NOT NULL PRIMARY KEY,
  price decimal(10,2) NOT NULL,
  quantity int NOT NULL,
  total decimal(20,2) GENERATED ALWAYS AS (price * quantity) STORED,
  twice decimal(21,2) GENERATED ALWAYS AS (total + total) VIRTUAL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
