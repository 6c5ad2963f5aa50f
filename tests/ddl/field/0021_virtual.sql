ALTER TABLE orders ADD COLUMN y int AS (year(placed_at)) VIRTUAL;
