CREATE TABLE `audit_log` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `what` varchar(100) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `what` (`what`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
ALTER TABLE audit_log ADD COLUMN at datetime;
