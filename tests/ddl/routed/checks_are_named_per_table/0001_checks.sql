ALTER TABLE orders ADD CONSTRAINT small CHECK (amount < 1000000 AND number <> '');
ALTER TABLE orders DROP CONSTRAINT small, COMMENT='no limit';
ALTER TABLE region ADD CONSTRAINT upper_case CHECK (code = UPPER(code));
