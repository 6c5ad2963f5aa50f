ALTER TABLE orders ADD COLUMN paid TINYINT NOT NULL DEFAULT 0;
CREATE INDEX by_user ON orders (user_id, paid);
