CREATE TABLE orders (
  order_id bigint unsigned NOT NULL,
  user_id bigint unsigned NOT NULL,
  PRIMARY KEY (order_id)
);
CREATE TABLE items (
  item_id bigint NOT NULL,
  order_id bigint unsigned NOT NULL,
  PRIMARY KEY (item_id),
  KEY by_order (order_id)
);
