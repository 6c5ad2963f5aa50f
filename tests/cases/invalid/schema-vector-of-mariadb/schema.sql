CREATE TABLE device (id int PRIMARY KEY, v vector(3) NOT NULL) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
