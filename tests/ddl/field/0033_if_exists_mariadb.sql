DROP INDEX IF EXISTS placed ON orders;
