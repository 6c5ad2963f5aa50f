-- Changes of the target tables, numbered; `shardwright ddl apply` runs each on every physical table.
ALTER TABLE orders ADD COLUMN delivery_note VARCHAR(200) NULL;
