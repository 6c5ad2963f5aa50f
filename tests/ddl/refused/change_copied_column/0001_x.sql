ALTER TABLE orders DROP COLUMN amount;
ALTER TABLE orders MODIFY Amount bigint;
ALTER TABLE orders CHANGE amount total bigint;
ALTER TABLE orders RENAME COLUMN amount TO total;
ALTER TABLE orders ADD COLUMN amount int;
ALTER TABLE orders ADD COLUMN a int, CHANGE a number int;
