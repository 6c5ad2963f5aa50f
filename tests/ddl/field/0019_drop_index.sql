DROP INDEX placed ON orders;
