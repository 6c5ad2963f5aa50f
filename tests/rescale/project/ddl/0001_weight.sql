ALTER TABLE parcel ADD COLUMN grams int NOT NULL DEFAULT 0;
CREATE INDEX by_grams ON parcel (grams);
