ALTER TABLE orders COMMENT = 'orders; all of them';
