-- 0001_checks.sql 1: orders
ALTER TABLE `orders${suffix}`
ADD CONSTRAINT `small${suffix}` CHECK (`amount` < 1000000 AND `number` <> '');

-- 0001_checks.sql 2: orders, destructive
ALTER TABLE `orders${suffix}`
DROP CONSTRAINT `small${suffix}`,   COMMENT='no limit';

-- 0001_checks.sql 3: region
ALTER TABLE `region${suffix}`
ADD CONSTRAINT `upper_case${suffix}` CHECK (`code` = UPPER(`code`));
