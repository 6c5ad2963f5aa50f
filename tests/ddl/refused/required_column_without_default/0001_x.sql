ALTER TABLE orders ADD COLUMN note varchar(20) NOT NULL;
