alter table `orders` add note varchar(20) character set latin1 collate latin1_bin, add key by_note (note(10)), algorithm=inplace, lock=none;
ALTER TABLE region ADD population int unsigned NOT NULL DEFAULT 0
