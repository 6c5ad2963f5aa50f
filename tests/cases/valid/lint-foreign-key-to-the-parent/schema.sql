CREATE TABLE customers (
  id bigint NOT NULL AUTO_INCREMENT,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE products (
  id bigint NOT NULL AUTO_INCREMENT,
  name varchar(20) COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE orders (
  id bigint NOT NULL,
  customer_id bigint NOT NULL,
  PRIMARY KEY (id),
  KEY by_customer (customer_id),
  CONSTRAINT of_customer FOREIGN KEY (customer_id) REFERENCES customers (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE order_lines (
  id bigint NOT NULL AUTO_INCREMENT,
  order_id bigint NOT NULL,
  earlier_order_id bigint NULL,
  product_id bigint NOT NULL,
  PRIMARY KEY (id),
  KEY by_order (order_id),
  KEY by_earlier (earlier_order_id),
  KEY by_product (product_id),
  CONSTRAINT of_order FOREIGN KEY (order_id) REFERENCES orders (id),
  CONSTRAINT of_earlier FOREIGN KEY (earlier_order_id) REFERENCES orders (id),
  CONSTRAINT of_product FOREIGN KEY (product_id) REFERENCES products (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
