ALTER TABLE orders ADD COLUMN a varchar(10) DEFAULT 'x;
