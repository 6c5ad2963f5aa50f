-- 0001_checks.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD CONSTRAINT `small${suffix}` CHECK (`amount` < 1000000 AND `number` <> '');
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY

-- 0001_checks.sql 2: orders, destructive
ALTER TABLE `orders${suffix}`
DROP CONSTRAINT `small${suffix}`,   COMMENT='no limit';
-- mysql: in_place: ALGORITHM=INPLACE, LOCK=NONE
-- mariadb: in_place: ALGORITHM=INPLACE, LOCK=NONE

-- 0001_checks.sql 3: region
ALTER TABLE `region${suffix}`
ADD CONSTRAINT `upper_case${suffix}` CHECK (`code` = UPPER(`code`));
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY
