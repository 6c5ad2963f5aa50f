CREATE TABLE audit (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, -- counts on each shard for itself
  what VARCHAR(40) NOT NULL,
  PRIMARY KEY (id), CONSTRAINT said CHECK (what <> '')
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='who did what';
ALTER TABLE audit ADD COLUMN who VARCHAR(20) NOT NULL, ADD INDEX by_who (who);
TRUNCATE TABLE audit;
RENAME TABLE audit TO trail;
DROP INDEX by_who ON trail;
