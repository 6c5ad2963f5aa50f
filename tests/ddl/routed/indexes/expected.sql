-- 0001_indexes.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD INDEX `by_day` (`placed_at` DESC, `number`(8));

-- 0001_indexes.sql 2: orders
ALTER TABLE `orders${suffix}`
ADD UNIQUE `once` (
  `user_id`,
  `number`
);

-- 0001_indexes.sql 3: orders, destructive
DROP INDEX `by_day` ON `orders${suffix}`;

-- 0001_indexes.sql 4: orders, destructive
ALTER TABLE `orders${suffix}`
DROP INDEX `once`, ADD UNIQUE `once` (
  `number`,
  `user_id`
);

-- 0001_indexes.sql 5: orders
ALTER TABLE `orders${suffix}`
ADD FULLTEXT INDEX `words` (`number`);

-- 0001_indexes.sql 6: orders, destructive
ALTER TABLE `orders${suffix}`
DROP PRIMARY KEY, ADD PRIMARY KEY (`id`);
