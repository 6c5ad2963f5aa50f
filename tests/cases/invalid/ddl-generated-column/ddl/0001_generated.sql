ALTER TABLE orders ADD COLUMN total decimal(20,2) AS (price) STORED, ADD COLUMN x int;
ALTER TABLE orders DROP COLUMN doubled;
ALTER TABLE orders ADD COLUMN three decimal(21,2) AS (total * 3) VIRTUAL;
