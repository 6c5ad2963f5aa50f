ALTER TABLE orders ADD CHECK (amount < 100000);
