ALTER TABLE item ADD INDEX by_seen (seen);
