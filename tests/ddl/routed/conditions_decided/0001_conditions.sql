ALTER TABLE IF EXISTS orders ADD COLUMN IF NOT EXISTS (note text, kind int), ADD INDEX IF NOT EXISTS by_kind (kind);
ALTER TABLE orders ADD COLUMN IF NOT EXISTS note text, ADD COLUMN IF NOT EXISTS late int, DROP COLUMN IF EXISTS early;
ALTER TABLE orders MODIFY COLUMN IF EXISTS note longtext, CHANGE IF EXISTS nowhere now int;
ALTER TABLE orders CHANGE COLUMN IF EXISTS kind sort bigint, ALTER COLUMN IF EXISTS late SET DEFAULT 5;
ALTER TABLE orders RENAME COLUMN IF EXISTS kind TO other, RENAME COLUMN IF EXISTS sort TO class;
ALTER TABLE orders RENAME INDEX IF EXISTS placed TO by_user, RENAME KEY IF EXISTS nowhere TO somewhere;
CREATE INDEX IF NOT EXISTS placed ON orders (amount);
DROP INDEX IF EXISTS placed ON orders;
ALTER TABLE orders ADD CONSTRAINT IF NOT EXISTS large CHECK (amount < 9), DROP CONSTRAINT IF EXISTS small;
-- What leads an older table to the spec's keeps its clauses:
ALTER TABLE orders ADD COLUMN IF NOT EXISTS number varchar(32) NOT NULL, DROP COLUMN IF EXISTS older;
ALTER TABLE orders ADD UNIQUE KEY IF NOT EXISTS number (number);
