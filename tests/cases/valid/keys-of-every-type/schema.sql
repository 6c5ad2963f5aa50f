CREATE TABLE ignores_case (
  name varchar(40) NOT NULL,
  line int NOT NULL,
  owner bigint NOT NULL,
  version int NOT NULL,
  PRIMARY KEY (name, line)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE numbered (
  kind enum('zeta','alpha') NOT NULL,
  flags set('zeta','alpha','mid') NOT NULL,
  mask bit(12) NOT NULL,
  owner bigint NOT NULL,
  PRIMARY KEY (kind, flags, mask)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE addressed (
  id uuid NOT NULL DEFAULT uuid(),
  ip inet6 NOT NULL,
  at inet4 NOT NULL,
  note varchar(40),
  PRIMARY KEY (id, ip, at)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE exact (
  amount decimal(12,3) NOT NULL,
  at datetime(6) NOT NULL,
  code varbinary(8) NOT NULL,
  owner bigint NOT NULL,
  PRIMARY KEY (amount, at, code)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
