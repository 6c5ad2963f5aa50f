ALTER TABLE parcel ADD FULLTEXT KEY by_words (words);
