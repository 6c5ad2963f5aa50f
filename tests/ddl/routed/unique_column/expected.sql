-- 0001_x.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD COLUMN `a` INT UNIQUE;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE
