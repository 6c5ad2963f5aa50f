ALTER TABLE orders CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
alter table region convert to charset UTF8MB4 collate utf8mb4_bin, ALGORITHM=COPY;
ALTER TABLE orders DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
ALTER TABLE orders COLLATE utf8mb4_unicode_ci, COMMENT 'new';
CREATE TABLE audit (id BIGINT PRIMARY KEY, note VARCHAR(20) UNIQUE) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
ALTER TABLE audit CONVERT TO CHARACTER SET latin1 COLLATE latin1_swedish_ci;
