ALTER TABLE orders ADD COLUMN channel varchar(10) DEFAULT NULL;
