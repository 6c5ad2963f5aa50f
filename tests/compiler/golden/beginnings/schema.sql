CREATE TABLE page (
  id bigint NOT NULL,
  shop int unsigned NOT NULL,
  url text NOT NULL,
  code varchar(20) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL,
  digest varbinary(64) NOT NULL,
  mail varchar(200) DEFAULT NULL,
  secret varchar(50) DEFAULT NULL,
  title varchar(100) NOT NULL,
  low varchar(100) GENERATED ALWAYS AS (lower(title)) VIRTUAL,
  PRIMARY KEY (id),
  UNIQUE KEY by_url (url(80), shop),
  UNIQUE KEY by_code (code, shop),
  UNIQUE KEY by_digest (shop, digest(16) DESC),
  UNIQUE KEY by_low (low(10)),
  UNIQUE KEY by_mail (mail(30)),
  UNIQUE KEY by_secret (secret(5)),
  UNIQUE KEY by_upper ((upper(title)))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
