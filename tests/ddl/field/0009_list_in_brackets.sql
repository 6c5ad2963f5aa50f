ALTER TABLE orders ADD COLUMN (a int NOT NULL DEFAULT 0, b varchar(20), c datetime);
