CREATE INDEX by_day ON orders (placed_at DESC, `number`(8));
CREATE UNIQUE INDEX once ON orders (user_id, number);
DROP INDEX by_day ON orders;
ALTER TABLE orders DROP KEY once, ADD UNIQUE KEY once (number, user_id);
ALTER TABLE orders ADD FULLTEXT KEY words (number);
ALTER TABLE orders DROP PRIMARY KEY, ADD PRIMARY KEY (id);
CREATE FULLTEXT INDEX more_words ON orders (number) COMMENT 'on (all) words' ALGORITHM = INPLACE LOCK SHARED;
CREATE INDEX by_user USING BTREE ON orders (user_id, placed_at) LOCK=NONE;
CREATE UNIQUE INDEX `on` ON `orders` (`user_id`, `number`(10) DESC);
