-- 0001_audit.sql 1: audit
CREATE TABLE `audit${suffix}` (
  `id` BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  `what` VARCHAR(40) NOT NULL,
  PRIMARY KEY (`id`),
  CONSTRAINT `said` CHECK (`what` <> '')
)
ENGINE=InnoDB
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin
COMMENT='who did what';
-- mysql: instant: 
-- mariadb: instant: 

-- 0001_audit.sql 2: audit
ALTER TABLE `audit${suffix}`
ADD COLUMN `who` VARCHAR(20) NOT NULL, ADD INDEX `by_who` (`who`);
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_audit.sql 3: audit, destructive
TRUNCATE TABLE   `audit${suffix}`;
-- mysql: instant: 
-- mariadb: instant: 

-- 0001_audit.sql 4: audit, destructive
ALTER TABLE `audit${suffix}`
RENAME `trail${suffix}`;
-- mysql: instant: 
-- mariadb: instant: 

-- 0001_audit.sql 5: trail, destructive
ALTER TABLE `trail${suffix}`
DROP INDEX `by_who`;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=NOCOPY, LOCK=NONE

-- 0002_later.sql 1: trail, destructive
ALTER TABLE `trail${suffix}`
RENAME `audit${suffix}`;
-- mysql: instant: 
-- mariadb: instant: 

-- 0002_later.sql 2: audit, destructive
DROP TABLE `audit${suffix}`;
-- mysql: instant: 
-- mariadb: instant: 

-- 0002_later.sql 3: trail
CREATE TABLE `trail${suffix}` (
  `id` INT NOT NULL,
  PRIMARY KEY (`id`)
);
-- mysql: instant: 
-- mariadb: instant: 
