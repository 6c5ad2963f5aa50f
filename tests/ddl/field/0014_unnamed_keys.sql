ALTER TABLE orders ADD KEY (amount), ADD UNIQUE KEY (user_id, amount);
