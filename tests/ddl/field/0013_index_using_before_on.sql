CREATE INDEX idx_amount USING BTREE ON orders (amount);
