CREATE TABLE purse (
  owner_id INT UNSIGNED NOT NULL,
  id INT UNSIGNED NOT NULL,
  value INT NULL,
  PRIMARY KEY (owner_id, id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE seat (
  owner_id INT UNSIGNED NOT NULL,
  id INT UNSIGNED NOT NULL,
  value INT NULL,
  PRIMARY KEY (owner_id, id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE ticket (
  owner_id INT UNSIGNED NOT NULL,
  id INT UNSIGNED NOT NULL,
  value INT NULL,
  PRIMARY KEY (owner_id, id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE offer (
  owner_id INT UNSIGNED NOT NULL,
  id INT UNSIGNED NOT NULL,
  value INT NULL,
  PRIMARY KEY (owner_id, id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE person (
  owner_id INT UNSIGNED NOT NULL,
  id INT UNSIGNED NOT NULL,
  street VARCHAR(40) NULL,
  city VARCHAR(40) NULL,
  phone VARCHAR(40) NULL,
  visits INT NOT NULL,
  updated_at DATETIME(6) NULL,
  PRIMARY KEY (owner_id, id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE account (
  owner_id INT UNSIGNED NOT NULL,
  id INT UNSIGNED NOT NULL,
  email VARCHAR(40) NULL,
  credit INT NOT NULL,
  PRIMARY KEY (owner_id, id),
  UNIQUE KEY by_email (email)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE trip (
  id INT UNSIGNED NOT NULL PRIMARY KEY,
  owner_id INT UNSIGNED NOT NULL,
  value INT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
