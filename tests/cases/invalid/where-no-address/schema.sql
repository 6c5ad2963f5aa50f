CREATE TABLE device (id uuid PRIMARY KEY, ip inet6 NOT NULL, old inet4) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
