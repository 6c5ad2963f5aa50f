ALTER TABLE orders ADD COLUMN state ENUM('new','paid','sent') NOT NULL DEFAULT 'new';
