ALTER TABLE orders ADD INDEX (amount);
ALTER TABLE orders ADD UNIQUE (amount);
ALTER TABLE orders ADD CHECK (amount > 0);
