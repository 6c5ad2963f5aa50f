ALTER TABLE orders ADD COLUMN cents bigint GENERATED ALWAYS AS (amount * 100) STORED, ADD KEY (cents);
