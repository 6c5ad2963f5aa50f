ALTER TABLE orders DROP INDEX uk_status;
