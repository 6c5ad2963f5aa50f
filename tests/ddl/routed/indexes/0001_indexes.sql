CREATE INDEX by_day ON orders (placed_at DESC, `number`(8));
CREATE UNIQUE INDEX once ON orders (user_id, number);
DROP INDEX by_day ON orders;
ALTER TABLE orders DROP KEY once, ADD UNIQUE KEY once (number, user_id);
ALTER TABLE orders ADD FULLTEXT KEY words (number);
ALTER TABLE orders DROP PRIMARY KEY, ADD PRIMARY KEY (id);
