/*!40101 SET NAMES utf8mb4 */;
CREATE TABLE orders (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  note int /*!80023 UNHEARD OF */,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE items (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
/*!50100 PARTITION BY HASH (id) */;
CREATE TABLE payments (
  id bigint NOT NULL,
  user_id int unsigned NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
