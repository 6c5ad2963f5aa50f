ALTER TABLE orders ADD INDEX idx_amount (amount) USING BTREE COMMENT 'reports';
