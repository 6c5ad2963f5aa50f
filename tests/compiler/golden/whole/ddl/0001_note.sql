ALTER TABLE region ADD COLUMN note varchar(40) DEFAULT NULL;
CREATE INDEX by_time ON job (runs_at);
