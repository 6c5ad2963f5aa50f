ALTER TABLE item ADD COLUMN channel varchar(9) NULL;
