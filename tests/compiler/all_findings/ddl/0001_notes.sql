ALTER TABLE orders ADD COLUMN note varchar(40) NULL;
ALTER TABLE stores ADD COLUMN note varchar(40) NULL;
ALTER TABLE settings ADD COLUMN note varchar(40) NULL;
