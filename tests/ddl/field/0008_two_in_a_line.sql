ALTER TABLE orders ADD a int; ALTER TABLE orders ADD b int;
