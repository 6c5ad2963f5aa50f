USE shop;
SET NAMES utf8mb4;
ALTER TABLE orders ADD COLUMN a int;
