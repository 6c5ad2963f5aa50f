-- the numbers of new rows: 50-ids
-- users.user_id: row 'users' of id_segment, with a margin of 5000

-- statement: largest -- of each physical table
SELECT
  MAX(`user_id`) AS `sw_largest`
FROM `${database}`.`users${suffix}`;

-- statement: read -- the number that the counter gives next
SELECT
  `next_id` AS `sw_next`
FROM `shop_0`.`id_segment`
WHERE
  `name` = 'users';

-- statement: seed -- a larger number stays
INSERT INTO `shop_0`.`id_segment` (
  `name`,
  `next_id`
)
VALUES
  ('users', `${next}`) ON DUPLICATE KEY UPDATE `next_id` = GREATEST(`next_id`, `${next}`);

-- item.item_id: row 'the item's' of sequences, with a margin of 0

-- statement: largest -- of each physical table
SELECT
  MAX(`item_id`) AS `sw_largest`
FROM `${database}`.`item${suffix}`;

-- statement: read -- the number that the counter gives next
SELECT
  `value` AS `sw_next`
FROM `shop_1`.`sequences`
WHERE
  `what` = 'the item''s';

-- statement: seed -- a larger number stays
INSERT INTO `shop_1`.`sequences` (
  `what`,
  `value`
)
VALUES
  ('the item''s', `${next}`) ON DUPLICATE KEY UPDATE `value` = GREATEST(`value`, `${next}`);

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
