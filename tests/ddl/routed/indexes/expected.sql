-- 0001_indexes.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD INDEX `by_day` (`placed_at` DESC, `number`(8));
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=NOCOPY, LOCK=NONE

-- 0001_indexes.sql 2: orders
ALTER TABLE `orders${suffix}`
ADD UNIQUE `once` (
  `user_id`,
  `number`
);
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=NOCOPY, LOCK=NONE

-- 0001_indexes.sql 3: orders, destructive
ALTER TABLE `orders${suffix}`
DROP INDEX `by_day`;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=NOCOPY, LOCK=NONE

-- 0001_indexes.sql 4: orders, destructive
ALTER TABLE `orders${suffix}`
DROP INDEX `once`, ADD UNIQUE `once` (
  `number`,
  `user_id`
);
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_indexes.sql 5: orders
ALTER TABLE `orders${suffix}`
ADD FULLTEXT INDEX `words` (`number`);
-- mysql: blocking: ALGORITHM=INPLACE, LOCK=SHARED
-- mariadb: blocking: ALGORITHM=INPLACE, LOCK=SHARED

-- 0001_indexes.sql 6: orders, destructive
ALTER TABLE `orders${suffix}`
DROP PRIMARY KEY, ADD PRIMARY KEY (`id`);
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_indexes.sql 7: orders
ALTER TABLE `orders${suffix}`
ADD FULLTEXT INDEX `more_words` (`number`)   COMMENT 'on (all) words',   ALGORITHM=INPLACE,
  LOCK=SHARED;
-- mysql: blocking: ALGORITHM=INPLACE, LOCK=SHARED
-- mariadb: blocking: ALGORITHM=INPLACE, LOCK=SHARED

-- 0001_indexes.sql 8: orders
ALTER TABLE `orders${suffix}`
ADD INDEX `by_user` USING BTREE (`user_id`, `placed_at`),   LOCK=NONE;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=NOCOPY, LOCK=NONE

-- 0001_indexes.sql 9: orders
ALTER TABLE `orders${suffix}`
ADD UNIQUE `on` (
  `user_id`,
  `number`(10) DESC
);
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=NOCOPY, LOCK=NONE

-- 0001_indexes.sql 10: orders, destructive
ALTER TABLE `orders${suffix}`
DROP INDEX `once`,   ALGORITHM=INPLACE;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_indexes.sql 11: orders
ALTER TABLE `orders${suffix}`
ADD CONSTRAINT `pair` UNIQUE (
  `user_id`,
  `placed_at`
);
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=NOCOPY, LOCK=NONE
