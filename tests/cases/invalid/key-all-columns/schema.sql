CREATE TABLE has_key (id int NOT NULL, PRIMARY KEY (id)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE has_unique (id int NOT NULL, maybe int, UNIQUE KEY maybe (maybe)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE has_json (id int NOT NULL, doc json, place point) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE plain (id int NOT NULL, at datetime) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE child (id int NOT NULL, n int) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
