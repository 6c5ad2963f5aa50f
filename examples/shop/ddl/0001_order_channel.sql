-- Which channel an order came through; written by the new application only, so the source does not have it.
ALTER TABLE order_info ADD COLUMN channel varchar(16) NOT NULL DEFAULT 'web', ADD INDEX idx_channel (channel, status);
