DROP TABLE orders;
TRUNCATE TABLE orders;
RENAME TABLE orders TO old_orders;
ALTER TABLE orders RENAME TO old_orders;
CREATE TABLE extra (id int);
UPDATE orders SET amount = 0;
SET sql_log_bin = 0;
CREATE TRIGGER t BEFORE INSERT ON orders FOR EACH ROW SET NEW.amount = 1;
