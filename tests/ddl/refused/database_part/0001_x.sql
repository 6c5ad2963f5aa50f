ALTER TABLE shop.orders ADD COLUMN a int;
CREATE INDEX i ON `order_db_0`.`orders` (amount);
