ALTER TABLE orders MODIFY COLUMN number varchar(64) NOT NULL;
