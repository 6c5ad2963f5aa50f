ALTER TABLE orders DROP INDEX placed, ADD INDEX placed (user_id, placed_at, amount);
