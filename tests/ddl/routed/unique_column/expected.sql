-- 0001_x.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD COLUMN `a` INT UNIQUE;
