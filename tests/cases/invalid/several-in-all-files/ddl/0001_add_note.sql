ALTER TABLE refunds RENAME TO returns;
ALTER TABLE orders ADD COLUMN note varchar(20) NULL;
ALTER TABLE broken ADD COLUMN note varchar(20) NULL;
ALTER TABLE ordres ADD COLUMN note varchar(20) NULL;
ALTER TABLE visits ADD COLUMN;
