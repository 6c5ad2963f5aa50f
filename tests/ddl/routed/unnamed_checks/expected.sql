-- 0001_x.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD CONSTRAINT `orders_amount_check${suffix}` CHECK (`amount` < 1000000);
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY

-- 0001_x.sql 2: orders
ALTER TABLE `orders${suffix}`
  ADD CONSTRAINT `orders_Number_check${suffix}` CHECK (`Number` <> '' AND `amount` > 0),
  ADD COLUMN `n` INT CHECK (`n` > 1);
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY

-- 0001_x.sql 3: region
ALTER TABLE `region${suffix}`
ADD UNIQUE `name` (
  `name`
), ADD CONSTRAINT `region_name_check${suffix}` CHECK (`name` <> 'x');
-- mysql: copying: ALGORITHM=COPY, LOCK=SHARED
-- mariadb: copying: ALGORITHM=COPY
