ALTER TABLE orders RENAME INDEX placed TO by_placed;
