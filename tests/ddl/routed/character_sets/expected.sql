-- 0001_x.sql 1: orders
ALTER TABLE `orders${suffix}`
CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY

-- 0001_x.sql 2: region
ALTER TABLE `region${suffix}`
CONVERT TO CHARACTER SET UTF8MB4 COLLATE utf8mb4_bin,   ALGORITHM=COPY;
-- mysql: copying: ALGORITHM=COPY
-- mariadb: copying: ALGORITHM=COPY

-- 0001_x.sql 3: orders
ALTER TABLE `orders${suffix}`
  DEFAULT CHARACTER SET=utf8mb4,
  COLLATE=utf8mb4_general_ci;
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: instant: ALGORITHM=INSTANT

-- 0001_x.sql 4: orders
ALTER TABLE `orders${suffix}`
  COLLATE=utf8mb4_unicode_ci,
  COMMENT='new';
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_x.sql 5: audit
CREATE TABLE `audit${suffix}` (
  `id` BIGINT PRIMARY KEY,
  `note` VARCHAR(20) UNIQUE
)
DEFAULT CHARACTER SET=utf8mb4
COLLATE=utf8mb4_bin;
-- mysql: instant: 
-- mariadb: instant: 

-- 0001_x.sql 6: audit
ALTER TABLE `audit${suffix}`
CONVERT TO CHARACTER SET latin1 COLLATE latin1_swedish_ci;
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY
