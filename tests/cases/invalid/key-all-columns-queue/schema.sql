CREATE TABLE plain (id int NOT NULL, at datetime) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
