-- the numbers of new rows: 50-ids
-- users.id: AUTO_INCREMENT of users, with a margin of 5000

-- statement: largest -- of each physical table
SELECT
  MAX(`id`) AS `sw_largest`
FROM `${database}`.`users${suffix}`;

-- statement: read -- the number that the counter gives next
SELECT
  `AUTO_INCREMENT` AS `sw_next`
FROM `information_schema`.`tables`
WHERE
  `table_schema` = @sw_database AND `table_name` = @sw_table;

-- statement: seed -- a larger number stays
ALTER TABLE `${database}`.`users${suffix}`
  AUTO_INCREMENT=`${next}`,
  ALGORITHM=INPLACE;

-- item.item_id: row 'item' of id_segment, with a margin of 0

-- statement: largest -- of each physical table
SELECT
  MAX(`item_id`) AS `sw_largest`
FROM `${database}`.`item_${suffix}`;

-- statement: read -- the number that the counter gives next
SELECT
  `next_id` AS `sw_next`
FROM `shop`.`id_segment`
WHERE
  `name` = 'item';

-- statement: seed -- a larger number stays
INSERT INTO `shop`.`id_segment` (
  `name`,
  `next_id`
)
VALUES
  ('item', `${next}`) ON DUPLICATE KEY UPDATE `next_id` = GREATEST(`next_id`, `${next}`);

-- coupons.id: AUTO_INCREMENT of coupons, with a margin of 1000

-- statement: largest -- of each physical table
SELECT
  MAX(`id`) AS `sw_largest`
FROM `${database}`.`coupons${suffix}`;

-- statement: read -- the number that the counter gives next
SELECT
  `AUTO_INCREMENT` AS `sw_next`
FROM `information_schema`.`tables`
WHERE
  `table_schema` = @sw_database AND `table_name` = @sw_table;

-- statement: seed -- a larger number stays
ALTER TABLE `${database}`.`coupons${suffix}`
  AUTO_INCREMENT=`${next}`,
  ALGORITHM=INPLACE;

-- region.id: AUTO_INCREMENT of region, with a margin of 1000

-- statement: largest -- of each physical table
SELECT
  MAX(`id`) AS `sw_largest`
FROM `${database}`.`region${suffix}`;

-- statement: read -- the number that the counter gives next
SELECT
  `AUTO_INCREMENT` AS `sw_next`
FROM `information_schema`.`tables`
WHERE
  `table_schema` = @sw_database AND `table_name` = @sw_table;

-- statement: seed -- a larger number stays
ALTER TABLE `${database}`.`region${suffix}`
  AUTO_INCREMENT=`${next}`,
  ALGORITHM=INPLACE;
