ALTER TABLE orders ADD CHECK (amount < 1000000);
ALTER TABLE orders ADD CONSTRAINT CHECK (Number <> '' AND amount > 0), ADD COLUMN n int CHECK (n > 1);
ALTER TABLE region ADD CONSTRAINT UNIQUE (name), ADD CHECK (name <> 'x');
