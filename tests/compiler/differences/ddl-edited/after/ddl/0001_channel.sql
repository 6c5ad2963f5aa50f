ALTER TABLE orders ADD COLUMN channel varchar(20) DEFAULT NULL;
