CREATE INDEX idx_orders_amount_placed ON orders (amount, placed_at DESC);
