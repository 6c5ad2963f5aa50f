ALTER TABLE orders ADD CONSTRAINT ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc CHECK (user_id > 0);
