ALTER TABLE orders ADD COLUMN a int COMMENT '${suffix}';
ALTER TABLE orders ADD COLUMN `a${suffix}` int;
