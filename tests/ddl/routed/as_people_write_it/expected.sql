-- 0001_x.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD COLUMN `a` INT, ADD COLUMN `b` VARCHAR(20) NOT NULL DEFAULT 'x', ADD COLUMN `c` DECIMAL(5, 2);
-- mysql: instant: ALGORITHM=INSTANT
-- mariadb: instant: ALGORITHM=INSTANT

-- 0001_x.sql 2: orders
ALTER TABLE `orders${suffix}`
ADD INDEX `amount` (`amount`, `a`), ADD UNIQUE `b` (
  `b`(8)
);
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=NOCOPY, LOCK=NONE

-- 0001_x.sql 3: orders
ALTER TABLE `orders${suffix}`
  ENGINE=InnoDB;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_x.sql 4: orders
ALTER TABLE `orders${suffix}`
FORCE;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_x.sql 5: orders
ALTER TABLE `orders${suffix}`
  ROW_FORMAT=COMPRESSED,
  KEY_BLOCK_SIZE=8;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_x.sql 6: orders
ALTER TABLE `orders${suffix}`
  STATS_PERSISTENT=1,
  STATS_SAMPLE_PAGES=64;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: instant: ALGORITHM=INSTANT
