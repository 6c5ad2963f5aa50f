ALTER TABLE orders ADD INDEX (amount), ADD UNIQUE (amount);
ALTER TABLE orders ADD INDEX (amount);
ALTER TABLE orders ADD INDEX ((amount + 1));
ALTER TABLE orders ADD CHECK (amount > 0);
