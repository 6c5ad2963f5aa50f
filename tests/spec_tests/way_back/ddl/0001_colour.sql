ALTER TABLE parent ADD COLUMN colour varchar(10) NOT NULL DEFAULT 'red';
