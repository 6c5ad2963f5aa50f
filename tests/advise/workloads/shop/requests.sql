-- The pages, cron jobs and workers of the shop, and how often each is asked for. make_workloads.py fills the names in braces.

-- piece: login
SELECT {cols:auth_user} FROM `auth_user` WHERE `auth_user`.`id` = {user} LIMIT 21;
-- piece: token
SELECT {cols:authtoken_token}, {cols:auth_user} FROM `authtoken_token` INNER JOIN `auth_user` ON (`authtoken_token`.`user_id` = `auth_user`.`id`) WHERE `authtoken_token`.`key` = '{sha:token:user}' LIMIT 21;
-- piece: cart
SELECT {cols:shop_cart} FROM `shop_cart` WHERE `shop_cart`.`user_id` = {user} ORDER BY `shop_cart`.`updated_at` DESC LIMIT 1;
SELECT SUM(`shop_cartitem`.`quantity`) AS `sum` FROM `shop_cartitem` WHERE `shop_cartitem`.`cart_id` = {user};
-- piece: unread
SELECT COUNT(*) AS `__count` FROM `notifications_notification` WHERE (`notifications_notification`.`recipient_id` = {user} AND `notifications_notification`.`read_at` IS NULL);

-- page: connect, weight: 3
SET SQL_AUTO_IS_NULL = 0;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT VERSION(),
       @@sql_mode,
       @@default_storage_engine,
       @@sql_auto_is_null,
       @@lower_case_table_names,
       CONVERT_TZ('2001-01-01 01:00:00', 'UTC', 'UTC') IS NOT NULL;

-- page: home, weight: 60
@login;
@cart;
@unread;
SELECT {cols:catalog_category} FROM `catalog_category` WHERE `catalog_category`.`parent_id` IS NULL ORDER BY `catalog_category`.`name` ASC;
SELECT {cols:catalog_product} FROM `catalog_product` WHERE `catalog_product`.`status` = 'active' ORDER BY `catalog_product`.`created_at` DESC LIMIT 12;
SELECT {cols:catalog_productimage} FROM `catalog_productimage` WHERE `catalog_productimage`.`product_id` IN ({products:12}) ORDER BY `catalog_productimage`.`position` ASC;
SELECT {cols:shop_order} FROM `shop_order` WHERE `shop_order`.`user_id` = {user} ORDER BY `shop_order`.`placed_at` DESC LIMIT 3;

-- page: product, weight: 110
@login;
@cart;
SELECT {cols:catalog_product}, {cols:catalog_seller} FROM `catalog_product` INNER JOIN `catalog_seller` ON (`catalog_product`.`seller_id` = `catalog_seller`.`id`) WHERE `catalog_product`.`slug` = 'product-{product}' LIMIT 21;
SELECT {cols:catalog_productimage} FROM `catalog_productimage` WHERE `catalog_productimage`.`product_id` = {product} ORDER BY `catalog_productimage`.`position` ASC;
SELECT `catalog_stock`.`product_id`, `catalog_stock`.`on_hand`, `catalog_stock`.`reserved`, `catalog_stock`.`available`, `catalog_stock`.`updated_at` FROM `catalog_stock` WHERE `catalog_stock`.`product_id` = {product} LIMIT 21;
SELECT {cols:reviews_review}, {cols:auth_user} FROM `reviews_review` INNER JOIN `auth_user` ON (`reviews_review`.`user_id` = `auth_user`.`id`) WHERE `reviews_review`.`product_id` = {product} ORDER BY `reviews_review`.`created_at` DESC LIMIT 10;
SELECT EXISTS(SELECT 1 AS `a` FROM `wishlists_item` U0 INNER JOIN `wishlists_wishlist` U1 ON (U0.`wishlist_id` = U1.`id`) WHERE (U0.`product_id` = {product} AND U1.`owner_id` = {user}) LIMIT 1) AS `wished`;
INSERT INTO `analytics_pageview` (`visitor`, `path`, `product_id`, `seen_at`) VALUES ({user}, '/p/product-{product}', {product}, '{now}');

-- page: product of a guest, weight: 25
SELECT {cols:catalog_product}, {cols:catalog_seller} FROM `catalog_product` INNER JOIN `catalog_seller` ON (`catalog_product`.`seller_id` = `catalog_seller`.`id`) WHERE `catalog_product`.`slug` = 'product-{product}' LIMIT 21;
SELECT {cols:shop_cart} FROM `shop_cart` WHERE (`shop_cart`.`token` = '{hash:cart:guestcart}' AND `shop_cart`.`user_id` IS NULL) LIMIT 21;
INSERT INTO `analytics_pageview` (`visitor`, `path`, `product_id`, `seen_at`) VALUES (NULL, '/p/product-{product}', {product}, '{now}');

-- page: category, weight: 45
@login;
@cart;
SELECT {cols:catalog_category} FROM `catalog_category` WHERE `catalog_category`.`slug` = 'category-{category}' LIMIT 21;
SELECT COUNT(*) AS `__count` FROM `catalog_product` WHERE (`catalog_product`.`category_id` = {category} AND `catalog_product`.`status` = 'active');
SELECT {cols:catalog_product} FROM `catalog_product` WHERE (`catalog_product`.`category_id` = {category} AND `catalog_product`.`status` = 'active') ORDER BY `catalog_product`.`name` ASC LIMIT 24;
SELECT {cols:catalog_category} FROM `catalog_category` WHERE `catalog_category`.`parent_id` = {category};

-- page: category by price, weight: 6
@login;
SELECT {cols:catalog_product} FROM `catalog_product` INNER JOIN `catalog_stock` ON (`catalog_product`.`id` = `catalog_stock`.`product_id`) WHERE (`catalog_product`.`category_id` = {category} AND `catalog_product`.`price` BETWEEN 10.00 AND 90.00 AND `catalog_stock`.`on_hand` > 0) ORDER BY `catalog_product`.`price` ASC LIMIT 24 OFFSET 24;

-- page: search, weight: 14
@login;
SELECT COUNT(*) AS `__count` FROM `catalog_product` WHERE (`catalog_product`.`name` LIKE '%{product}%' AND `catalog_product`.`status` = 'active');
SELECT {cols:catalog_product} FROM `catalog_product` WHERE (`catalog_product`.`name` LIKE '%{product}%' AND `catalog_product`.`status` = 'active') ORDER BY `catalog_product`.`id` DESC LIMIT 24;

-- page: cart, weight: 50
@login;
SELECT {cols:shop_cart} FROM `shop_cart` WHERE `shop_cart`.`user_id` = {user} ORDER BY `shop_cart`.`updated_at` DESC LIMIT 1;
SELECT {cols:shop_cartitem}, {cols:catalog_product} FROM `shop_cartitem` INNER JOIN `catalog_product` ON (`shop_cartitem`.`product_id` = `catalog_product`.`id`) WHERE `shop_cartitem`.`cart_id` = {user} ORDER BY `shop_cartitem`.`added_at` ASC;
SELECT {cols:catalog_productimage} FROM `catalog_productimage` WHERE `catalog_productimage`.`product_id` IN ({products:3});

-- page: add to cart, weight: 26
@login;
SELECT {cols:shop_cart} FROM `shop_cart` WHERE `shop_cart`.`user_id` = {user} ORDER BY `shop_cart`.`updated_at` DESC LIMIT 1;
SELECT {cols:shop_cartitem} FROM `shop_cartitem` WHERE (`shop_cartitem`.`cart_id` = {user} AND `shop_cartitem`.`product_id` = {product}) LIMIT 21;
INSERT INTO `shop_cartitem` {ins:shop_cartitem} VALUES (1, '{now}', {user}, {product}) ON DUPLICATE KEY UPDATE `quantity` = `quantity` + 1;
UPDATE `shop_cart` SET `updated_at` = '{now}' WHERE `shop_cart`.`id` = {user};

-- page: add to a guest's cart, weight: 6
INSERT INTO `shop_cart` {ins:shop_cart} VALUES ('{hex:32}', '{now}', '{now}', NULL, NULL);
INSERT INTO `shop_cartitem` {ins:shop_cartitem} VALUES (1, '{now}', {new:shop_cart}, {product});

-- page: change quantity, weight: 9
@login;
UPDATE `shop_cartitem` SET `quantity` = {int:1:5} WHERE (`shop_cartitem`.`cart_id` = {user} AND `shop_cartitem`.`product_id` = {product});

-- page: remove from cart, weight: 7
@login;
DELETE FROM `shop_cartitem` WHERE (`shop_cartitem`.`cart_id` = {user} AND `shop_cartitem`.`product_id` IN ({product}));

-- page: coupon, weight: 4
@login;
SELECT {cols:shop_coupon} FROM `shop_coupon` WHERE `shop_coupon`.`code` = 'SAVE{coupon}' LIMIT 21;
UPDATE `shop_cart` SET `coupon_id` = {coupon}, `updated_at` = '{now}' WHERE `shop_cart`.`id` = {user};

-- page: log in, weight: 14
SELECT {cols:auth_user} FROM `auth_user` WHERE `auth_user`.`username` = 'user{user}' LIMIT 21;
UPDATE `auth_user` SET `last_login` = '{now}' WHERE `auth_user`.`id` = {user};

-- page: log in with a guest's cart, weight: 5
SELECT {cols:auth_user} FROM `auth_user` WHERE `auth_user`.`email` = 'user{user}@example.org' LIMIT 21;
UPDATE `auth_user` SET `last_login` = '{now}' WHERE `auth_user`.`id` = {user};
SELECT {cols:shop_cart} FROM `shop_cart` WHERE (`shop_cart`.`token` = '{hash:cart:guestcart}' AND `shop_cart`.`user_id` IS NULL) LIMIT 21;
UPDATE `shop_cart` SET `user_id` = {user}, `updated_at` = '{now}' WHERE (`shop_cart`.`id` = {guestcart} AND `shop_cart`.`user_id` IS NULL);

-- page: checkout, weight: 11
@login;
SELECT {cols:accounts_address} FROM `accounts_address` WHERE `accounts_address`.`user_id` = {user} ORDER BY `accounts_address`.`is_default` DESC;
SELECT {cols:core_shippingmethod} FROM `core_shippingmethod` WHERE `core_shippingmethod`.`is_active` ORDER BY `core_shippingmethod`.`price` ASC;
SELECT {cols:core_country} FROM `core_country` ORDER BY `core_country`.`name` ASC;

-- page: place an order, weight: 12
@login;
SET autocommit=0;
SELECT {cols:shop_cart} FROM `shop_cart` WHERE `shop_cart`.`user_id` = {user} LIMIT 21 FOR UPDATE;
SELECT {cols:shop_cartitem} FROM `shop_cartitem` WHERE `shop_cartitem`.`cart_id` = {user};
SELECT `catalog_stock`.`product_id`, `catalog_stock`.`on_hand`, `catalog_stock`.`reserved`, `catalog_stock`.`available`, `catalog_stock`.`updated_at` FROM `catalog_stock` WHERE `catalog_stock`.`product_id` IN ({product}, {product2}) FOR UPDATE;
INSERT INTO `shop_order` {ins:shop_order} VALUES ('R{int:100000000:999999999}', 'new', {money}, '{now}', NULL, NULL, {address}, {int:1:12}, {user});
INSERT INTO `shop_orderitem` {ins:shop_orderitem} VALUES (1, {money}, {new:shop_order}, {product}, {seller}), (2, {money}, {new:shop_order}, {product2}, {seller2});
UPDATE `catalog_stock` SET `reserved` = (`catalog_stock`.`reserved` + 1), `updated_at` = '{now}' WHERE `catalog_stock`.`product_id` = {product};
UPDATE `catalog_stock` SET `reserved` = (`catalog_stock`.`reserved` + 2), `updated_at` = '{now}' WHERE `catalog_stock`.`product_id` = {product2};
DELETE FROM `shop_cartitem` WHERE `shop_cartitem`.`cart_id` = {user};
INSERT INTO `loyalty_pointentry` {ins:loyalty_pointentry} VALUES ('{user}', {int:1:60}, 'order', '{now}');
COMMIT;
SET autocommit=1;
INSERT INTO `shop_payment` {ins:shop_payment} VALUES ('stripe', 'pi_{hex:32}', {money}, 'pending', '{now}', {new:shop_order});

-- page: place an order with a coupon, weight: 3
SET autocommit=0;
SELECT {cols:shop_coupon} FROM `shop_coupon` WHERE `shop_coupon`.`id` = {coupon} LIMIT 21 FOR UPDATE;
INSERT INTO `shop_order` {ins:shop_order} VALUES ('R{int:100000000:999999999}', 'new', {money}, '{now}', 'Happy birthday!', {coupon}, {address}, {int:1:12}, {user});
INSERT INTO `shop_orderitem` {ins:shop_orderitem} VALUES (1, {money}, {new:shop_order}, {product}, {seller});
SAVEPOINT `s140204_x1`;
UPDATE `shop_coupon` SET `used_count` = (`shop_coupon`.`used_count` + 1) WHERE `shop_coupon`.`id` = {coupon};
RELEASE SAVEPOINT `s140204_x1`;
UPDATE `catalog_stock` SET `reserved` = (`catalog_stock`.`reserved` + 1), `updated_at` = '{now}' WHERE `catalog_stock`.`product_id` = {product};
COMMIT;
SET autocommit=1;

-- page: payment webhook, weight: 13
SELECT {cols:shop_payment} FROM `shop_payment` WHERE `shop_payment`.`provider_ref` = 'pi_{hash:payment:order}' LIMIT 21;
BEGIN;
SELECT {cols:shop_payment}, {cols:shop_order} FROM `shop_payment` INNER JOIN `shop_order` ON (`shop_payment`.`order_id` = `shop_order`.`id`) WHERE `shop_payment`.`id` = {order} LIMIT 21 FOR UPDATE;
UPDATE `shop_payment` SET `provider` = 'stripe', `provider_ref` = 'pi_{hash:payment:order}', `amount` = {money}, `state` = 'captured', `created_at` = '{now}', `order_id` = {order} WHERE `shop_payment`.`id` = {order};
UPDATE `shop_order` SET `status` = 'paid' WHERE `shop_order`.`id` = {order};
INSERT INTO `notifications_notification` {ins:notifications_notification} VALUES ('order_paid', '{"order": {order}}', NULL, '{now}', {user});
COMMIT;

-- page: orders, weight: 24
@login;
SELECT COUNT(*) AS `__count` FROM `shop_order` WHERE `shop_order`.`user_id` = {user};
SELECT {cols:shop_order} FROM `shop_order` WHERE `shop_order`.`user_id` = {user} ORDER BY `shop_order`.`placed_at` DESC LIMIT 10;
SELECT {cols:shop_orderitem} FROM `shop_orderitem` WHERE `shop_orderitem`.`order_id` IN ({order}, {order2});
SELECT {cols:catalog_product} FROM `catalog_product` WHERE `catalog_product`.`id` IN ({products:4});

-- page: order, weight: 30
@login;
SELECT {cols:shop_order} FROM `shop_order` WHERE (`shop_order`.`number` = 'R{pad:9:order}' AND `shop_order`.`user_id` = {user}) LIMIT 21;
SELECT {cols:shop_orderitem}, {cols:catalog_product} FROM `shop_orderitem` INNER JOIN `catalog_product` ON (`shop_orderitem`.`product_id` = `catalog_product`.`id`) WHERE `shop_orderitem`.`order_id` = {order};
SELECT {cols:shop_payment} FROM `shop_payment` WHERE `shop_payment`.`order_id` = {order} ORDER BY `shop_payment`.`id` DESC LIMIT 1;
SELECT {cols:shop_shipment} FROM `shop_shipment` WHERE `shop_shipment`.`order_id` = {order};
SELECT {cols:shop_shipmentevent} FROM `shop_shipmentevent` WHERE `shop_shipmentevent`.`shipment_id` IN ({order}) ORDER BY `shop_shipmentevent`.`happened_at` ASC;
SELECT {cols:accounts_address} FROM `accounts_address` WHERE `accounts_address`.`id` = {address} LIMIT 21;

-- page: order by its number, from a mail, weight: 12
SELECT {cols:shop_order} FROM `shop_order` WHERE `shop_order`.`number` = 'R{pad:9:order}' LIMIT 21;
SELECT {cols:shop_orderitem} FROM `shop_orderitem` WHERE `shop_orderitem`.`order_id` = {order};

-- page: cancel an order, weight: 2
@login;
SET autocommit=0;
SELECT {cols:shop_order} FROM `shop_order` WHERE (`shop_order`.`id` = {order} AND `shop_order`.`user_id` = {user}) LIMIT 21 FOR UPDATE;
UPDATE `shop_order` SET `status` = 'cancelled' WHERE (`shop_order`.`id` = {order} AND `shop_order`.`user_id` = {user});
UPDATE `catalog_stock` SET `reserved` = (`catalog_stock`.`reserved` - 1), `updated_at` = '{now}' WHERE `catalog_stock`.`product_id` IN ({product}, {product2});
INSERT INTO `shop_refund` {ins:shop_refund} VALUES ({money}, 'cancelled by customer', '{now}', {order});
COMMIT;
SET autocommit=1;

-- page: refunds of an order, weight: 2
@login;
SELECT {cols:shop_refund} FROM `shop_refund` INNER JOIN `shop_payment` ON (`shop_refund`.`payment_id` = `shop_payment`.`id`) WHERE `shop_payment`.`order_id` = {order} ORDER BY `shop_refund`.`id` ASC;

-- page: carrier's event, weight: 20
SELECT {cols:shop_shipment} FROM `shop_shipment` WHERE `shop_shipment`.`tracking_code` = 'JD{pad:12:order}' LIMIT 21;
INSERT INTO `shop_shipmentevent` {ins:shop_shipmentevent} VALUES ('{pick:PICKED_UP|IN_TRANSIT|DELIVERED}', 'Hub {int:1:40}', '{now}', {order});

-- page: ship an order (warehouse), weight: 6
BEGIN;
UPDATE `shop_order` SET `status` = 'shipped' WHERE `shop_order`.`id` = {order};
INSERT INTO `shop_shipment` {ins:shop_shipment} VALUES ('JD9{int:10000000000:99999999999}', '{now}', {order});
UPDATE `catalog_stock` SET `on_hand` = (`catalog_stock`.`on_hand` - 1), `reserved` = (`catalog_stock`.`reserved` - 1), `updated_at` = '{now}' WHERE `catalog_stock`.`product_id` = {product};
COMMIT;

-- page: app start, weight: 40
@token;
@unread;
SELECT {cols:wallet_account} FROM `wallet_account` WHERE `wallet_account`.`user_id` = {user} LIMIT 21;
SELECT COALESCE(SUM(`loyalty_pointentry`.`points`), 0) AS `total` FROM `loyalty_pointentry` WHERE `loyalty_pointentry`.`customer_no` = '{user}';

-- page: app notifications, weight: 22
@token;
SELECT {cols:notifications_notification} FROM `notifications_notification` WHERE `notifications_notification`.`recipient_id` = {user} ORDER BY `notifications_notification`.`created_at` DESC LIMIT 20;
UPDATE `notifications_notification` SET `read_at` = '{now}' WHERE (`notifications_notification`.`recipient_id` = {user} AND `notifications_notification`.`read_at` IS NULL);

-- page: app orders, weight: 14
@token;
SELECT {cols:shop_order}, {cols:core_shippingmethod} FROM `shop_order` INNER JOIN `core_shippingmethod` ON (`shop_order`.`shipping_method_id` = `core_shippingmethod`.`id`) WHERE (`shop_order`.`user_id` = {user} AND NOT (`shop_order`.`status` = 'cancelled')) ORDER BY `shop_order`.`placed_at` DESC LIMIT 20;

-- page: addresses, weight: 5
@login;
SELECT {cols:accounts_address}, {cols:core_country} FROM `accounts_address` INNER JOIN `core_country` ON (`accounts_address`.`country_id` = `core_country`.`code`) WHERE `accounts_address`.`user_id` = {user} ORDER BY `accounts_address`.`id` ASC;

-- page: new address, weight: 2
@login;
INSERT INTO `accounts_address` {ins:accounts_address} VALUES ('home', 'Main Street {int:1:99}', '10115', 'Berlin', 'DE', 0, {user});
UPDATE `accounts_address` SET `is_default` = 0 WHERE (`accounts_address`.`user_id` = {user} AND NOT (`accounts_address`.`id` = {new:accounts_address}));

-- page: profile, weight: 2
@login;
UPDATE `auth_user` SET `password` = 'pbkdf2_sha256$600000$y', `last_login` = '{now}', `is_superuser` = 0, `username` = 'user{user}', `first_name` = 'Ada', `last_name` = 'Last{int:1:900}', `email` = 'user{user}@example.org', `is_staff` = 0, `is_active` = 1, `date_joined` = '2024-01-02 00:00:00', `country_id` = 'FR' WHERE `auth_user`.`id` = {user};

-- page: sign up, weight: 2
SELECT 1 AS `a` FROM `auth_user` WHERE `auth_user`.`email` = 'new{int:1:99999}@example.org' LIMIT 1;
SELECT 1 AS `a` FROM `auth_user` WHERE `auth_user`.`username` = 'new{int:1:99999}' LIMIT 1;
SET autocommit=0;
INSERT INTO `auth_user` {ins:auth_user} VALUES ('pbkdf2_sha256$600000$z', NULL, 0, 'new{new:auth_user}', 'Grace', 'Hopper', 'new{new:auth_user}@example.org', 0, 1, '{now}', 'DE');
INSERT INTO `wallet_account` {ins:wallet_account} VALUES (0.00, '{now}', {new:auth_user});
INSERT INTO `authtoken_token` (`key`, `created`, `user_id`) VALUES ('{hex:40}', '{now}', {new:auth_user});
COMMIT;
SET autocommit=1;

-- page: wish list, weight: 8
@login;
SELECT {cols:wishlists_wishlist} FROM `wishlists_wishlist` WHERE `wishlists_wishlist`.`owner_id` = {user};
SELECT {cols:wishlists_item}, {cols:catalog_product} FROM `wishlists_item` INNER JOIN `catalog_product` ON (`wishlists_item`.`product_id` = `catalog_product`.`id`) WHERE `wishlists_item`.`wishlist_id` IN ({user}) ORDER BY `wishlists_item`.`added_at` DESC;

-- page: wish, weight: 5
@login;
INSERT INTO `wishlists_item` {ins:wishlists_item} VALUES ('', '{now}', {product}, {user});

-- page: shared wish list, weight: 4
SELECT {cols:wishlists_wishlist} FROM `wishlists_wishlist` WHERE `wishlists_wishlist`.`share_token` = '{hash22:wish:user2}' LIMIT 21;
SELECT {cols:wishlists_item} FROM `wishlists_item` WHERE `wishlists_item`.`wishlist_id` = {user2};

-- page: hand a wish list over, weight: 1
@login;
UPDATE `wishlists_wishlist` SET `owner_id` = {user2} WHERE `wishlists_wishlist`.`id` = {user};

-- page: write a review, weight: 3
@login;
SELECT 1 AS `a` FROM `shop_orderitem` INNER JOIN `shop_order` ON (`shop_orderitem`.`order_id` = `shop_order`.`id`) WHERE (`shop_order`.`user_id` = {user} AND `shop_orderitem`.`product_id` = {product}) LIMIT 1;
INSERT INTO `reviews_review` {ins:reviews_review} VALUES ({int:1:5}, 'Good, but it''s loud.', '{now}', {product}, {user}) ON DUPLICATE KEY UPDATE `stars` = VALUES(`stars`), `body` = VALUES(`body`);

-- page: reviews of a product, weight: 9
SELECT COUNT(*) AS `__count`, AVG(`reviews_review`.`stars`) AS `avg` FROM `reviews_review` WHERE `reviews_review`.`product_id` = {product};
SELECT {cols:reviews_review} FROM `reviews_review` WHERE `reviews_review`.`product_id` = {product} ORDER BY `reviews_review`.`stars` DESC, `reviews_review`.`id` DESC LIMIT 20 OFFSET 20;

-- page: my reviews, weight: 2
@login;
SELECT {cols:reviews_review}, {cols:catalog_product} FROM `reviews_review` INNER JOIN `catalog_product` ON (`reviews_review`.`product_id` = `catalog_product`.`id`) WHERE `reviews_review`.`user_id` = {user} ORDER BY `reviews_review`.`created_at` DESC;

-- page: delete a review, weight: 1
@login;
DELETE FROM `reviews_review` WHERE (`reviews_review`.`user_id` = {user} AND `reviews_review`.`product_id` = {product});

-- page: follow, weight: 3
@login;
INSERT IGNORE INTO `social_follow` {ins:social_follow} VALUES ('{now}', {user2}, {user});

-- page: unfollow, weight: 1
@login;
DELETE FROM `social_follow` WHERE (`social_follow`.`followed_id` = {user2} AND `social_follow`.`follower_id` = {user});

-- page: followers, weight: 3
@login;
SELECT COUNT(*) AS `__count` FROM `social_follow` WHERE `social_follow`.`followed_id` = {user};
SELECT {cols:auth_user} FROM `auth_user` INNER JOIN `social_follow` ON (`auth_user`.`id` = `social_follow`.`follower_id`) WHERE `social_follow`.`followed_id` = {user} ORDER BY `auth_user`.`username` ASC LIMIT 50;

-- page: what friends reviewed, weight: 16
@login;
SELECT {cols:reviews_review} FROM `reviews_review` INNER JOIN `social_follow` ON (`reviews_review`.`user_id` = `social_follow`.`followed_id`) WHERE `social_follow`.`follower_id` = {user} ORDER BY `reviews_review`.`created_at` DESC LIMIT 10;

-- page: wallet, weight: 5
@login;
SELECT {cols:wallet_account} FROM `wallet_account` WHERE `wallet_account`.`user_id` = {user} LIMIT 21;
SELECT {cols:wallet_gift} FROM `wallet_gift` WHERE (`wallet_gift`.`from_user_id` = {user} OR `wallet_gift`.`to_user_id` = {user}) ORDER BY `wallet_gift`.`created_at` DESC LIMIT 20;

-- page: give a gift, weight: 4
BEGIN;
SELECT {cols:wallet_account} FROM `wallet_account` WHERE `wallet_account`.`user_id` = {user} LIMIT 21 FOR UPDATE;
SELECT {cols:wallet_account} FROM `wallet_account` WHERE `wallet_account`.`user_id` = {user2} LIMIT 21 FOR UPDATE;
UPDATE `wallet_account` SET `balance` = (`wallet_account`.`balance` - 5.00), `updated_at` = '{now}' WHERE `wallet_account`.`user_id` = {user};
UPDATE `wallet_account` SET `balance` = (`wallet_account`.`balance` + 5.00), `updated_at` = '{now}' WHERE `wallet_account`.`user_id` = {user2};
INSERT INTO `wallet_gift` {ins:wallet_gift} VALUES (5.00, 'For your coffee', '{now}', {user}, {user2});
INSERT INTO `notifications_notification` {ins:notifications_notification} VALUES ('gift', NULL, NULL, '{now}', {user2});
COMMIT;

-- page: top up, weight: 2
BEGIN;
UPDATE `wallet_account` SET `balance` = (`wallet_account`.`balance` + 20.00), `updated_at` = '{now}' WHERE `wallet_account`.`user_id` = {user};
INSERT INTO `notifications_notification` {ins:notifications_notification} VALUES ('top_up', NULL, NULL, '{now}', {user});
COMMIT;

-- page: loyalty, weight: 4
@login;
SELECT {cols:loyalty_pointentry} FROM `loyalty_pointentry` WHERE `loyalty_pointentry`.`customer_no` = '{user}' ORDER BY `loyalty_pointentry`.`created_at` DESC LIMIT 30;

-- page: tickets, weight: 4
@login;
SELECT {cols:support_ticket} FROM `support_ticket` WHERE `support_ticket`.`user_id` = {user} ORDER BY `support_ticket`.`opened_at` DESC;

-- page: ticket, weight: 5
@login;
SELECT {cols:support_ticket} FROM `support_ticket` WHERE (`support_ticket`.`id` = {user} AND `support_ticket`.`user_id` = {user}) LIMIT 21;
SELECT {cols:support_ticketreply} FROM `support_ticketreply` WHERE `support_ticketreply`.`ticket_id` = {user} ORDER BY `support_ticketreply`.`created_at` ASC;

-- page: open a ticket, weight: 2
SET autocommit=0;
INSERT INTO `support_ticket` {ins:support_ticket} VALUES ('Where is my parcel?', 'open', '{now}', NULL, {user});
INSERT INTO `support_ticketreply` {ins:support_ticketreply} VALUES ('It should have come on Monday,
please look.', 0, '{now}', {new:support_ticket});
COMMIT;
SET autocommit=1;

-- page: staff answers, weight: 3
SELECT {cols:support_ticket}, {cols:auth_user} FROM `support_ticket` INNER JOIN `auth_user` ON (`support_ticket`.`user_id` = `auth_user`.`id`) WHERE `support_ticket`.`id` = {user} LIMIT 21;
INSERT INTO `support_ticketreply` {ins:support_ticketreply} VALUES ('It is on its way.', 1, '{now}', {user});
UPDATE `support_ticket` SET `state` = 'answered' WHERE `support_ticket`.`id` = {user};

-- page: staff merges tickets, weight: 1
BEGIN;
UPDATE `support_ticketreply` SET `ticket_id` = {user2} WHERE `support_ticketreply`.`ticket_id` = {user};
UPDATE `support_ticket` SET `merged_into_id` = {user2}, `state` = 'merged' WHERE `support_ticket`.`id` = {user};
COMMIT;

-- page: staff moves an order to another account, weight: 1
BEGIN;
UPDATE `shop_order` SET `user_id` = {user2} WHERE `shop_order`.`id` = {order};
UPDATE `support_ticket` SET `user_id` = {user2} WHERE `support_ticket`.`user_id` = {user};
COMMIT;

-- page: open tickets (admin), weight: 1
SELECT COUNT(*) AS `__count` FROM `support_ticket` WHERE `support_ticket`.`state` = 'open';
SELECT {cols:support_ticket}, {cols:auth_user} FROM `support_ticket` INNER JOIN `auth_user` ON (`support_ticket`.`user_id` = `auth_user`.`id`) LEFT OUTER JOIN `support_ticket` T3 ON (`support_ticket`.`merged_into_id` = T3.`id`) WHERE (`support_ticket`.`state` = 'open' AND T3.`id` IS NULL) ORDER BY `support_ticket`.`opened_at` ASC LIMIT 100;

-- page: orders (admin), weight: 2
SELECT COUNT(*) AS `__count` FROM `shop_order`;
SELECT {cols:shop_order}, {cols:auth_user} FROM `shop_order` INNER JOIN `auth_user` ON (`shop_order`.`user_id` = `auth_user`.`id`) ORDER BY `shop_order`.`id` DESC LIMIT 100;
SELECT DISTINCT `shop_order`.`status` FROM `shop_order`;

-- page: orders of a status (admin), weight: 2
SELECT {cols:shop_order} FROM `shop_order` WHERE `shop_order`.`status` = '{pick:paid|packed|new}' ORDER BY `shop_order`.`placed_at` ASC LIMIT 100;

-- page: users (admin), weight: 1
SELECT COUNT(*) AS `__count` FROM `auth_user`;
SELECT {cols:auth_user} FROM `auth_user` WHERE (`auth_user`.`username` LIKE '%ada%' OR `auth_user`.`email` LIKE '%ada%') ORDER BY `auth_user`.`username` ASC, `auth_user`.`id` DESC LIMIT 100;
SELECT {cols:auth_user} FROM `auth_user` WHERE `auth_user`.`country_id` = 'DE' ORDER BY `auth_user`.`date_joined` DESC LIMIT 100;

-- page: products (admin), weight: 1
SELECT {cols:catalog_product}, {cols:catalog_category}, {cols:catalog_seller} FROM `catalog_product` INNER JOIN `catalog_category` ON (`catalog_product`.`category_id` = `catalog_category`.`id`) INNER JOIN `catalog_seller` ON (`catalog_product`.`seller_id` = `catalog_seller`.`id`) ORDER BY `catalog_product`.`id` DESC LIMIT 100;

-- page: product is edited, weight: 1
UPDATE `catalog_product` SET `sku` = 'SKU{pad:6:product}', `name` = 'Product {product}', `slug` = 'product-{product}', `price` = {money}, `attributes` = '{"color": "red"}', `status` = 'active', `created_at` = '2024-05-01 00:00:00', `category_id` = {category}, `seller_id` = {seller} WHERE `catalog_product`.`id` = {product};
INSERT INTO `catalog_productimage` {ins:catalog_productimage} VALUES ('products/{hex:12}.jpg', 2, {product});
DELETE FROM `catalog_productimage` WHERE `catalog_productimage`.`id` IN ({int:1:4000}, {int:1:4000});

-- page: product is made, weight: 1
BEGIN;
INSERT INTO `catalog_product` {ins:catalog_product} VALUES ('SKU9{new:catalog_product}', 'Lamp', 'lamp-{new:catalog_product}', 49.90, NULL, 'draft', '{now}', {category}, {seller});
INSERT INTO `catalog_stock` (`product_id`, `on_hand`, `reserved`, `updated_at`) VALUES ({new:catalog_product}, 0, 0, '{now}');
COMMIT;

-- page: category is moved, weight: 1
UPDATE `catalog_category` SET `parent_id` = {int:1:12} WHERE `catalog_category`.`id` = {category};

-- page: stock from the warehouse (cron), weight: 6
UPDATE `catalog_stock` SET `on_hand` = {int:1:200}, `updated_at` = '{now}' WHERE `catalog_stock`.`product_id` = {product};
UPDATE `catalog_stock` SET `on_hand` = CASE WHEN (`catalog_stock`.`product_id` = {product}) THEN 40 WHEN (`catalog_stock`.`product_id` = {product2}) THEN 7 ELSE NULL END WHERE `catalog_stock`.`product_id` IN ({product}, {product2});

-- page: sellers' orders, weight: 5
SELECT {cols:shop_orderitem}, {cols:shop_order} FROM `shop_orderitem` INNER JOIN `shop_order` ON (`shop_orderitem`.`order_id` = `shop_order`.`id`) WHERE (`shop_orderitem`.`seller_id` = {seller} AND `shop_order`.`status` = 'paid') ORDER BY `shop_order`.`placed_at` ASC LIMIT 50;
SELECT COUNT(*) AS `__count` FROM `shop_orderitem` WHERE `shop_orderitem`.`seller_id` = {seller};

-- page: sellers' turnover, weight: 1
SELECT SUM((`shop_orderitem`.`unit_price` * `shop_orderitem`.`quantity`)) AS `turnover` FROM `shop_orderitem` INNER JOIN `shop_order` ON (`shop_orderitem`.`order_id` = `shop_order`.`id`) WHERE (`shop_orderitem`.`seller_id` = {seller} AND `shop_order`.`placed_at` >= '2026-03-01 00:00:00');
SELECT `shop_orderitem`.`product_id`, SUM(`shop_orderitem`.`quantity`) AS `sold` FROM `shop_orderitem` WHERE `shop_orderitem`.`seller_id` = {seller} GROUP BY `shop_orderitem`.`product_id` ORDER BY `sold` DESC LIMIT 20;

-- page: seller's page, weight: 4
SELECT {cols:catalog_seller} FROM `catalog_seller` WHERE `catalog_seller`.`slug` = 'seller-{seller}' LIMIT 21;
SELECT {cols:catalog_product} FROM `catalog_product` WHERE (`catalog_product`.`seller_id` = {seller} AND `catalog_product`.`status` = 'active') ORDER BY `catalog_product`.`created_at` DESC LIMIT 24;

-- page: turnover by country (report), weight: 1
SELECT `auth_user`.`country_id`, SUM(`shop_order`.`total`) AS `turnover`, COUNT(`shop_order`.`id`) AS `orders` FROM `shop_order` INNER JOIN `auth_user` ON (`shop_order`.`user_id` = `auth_user`.`id`) WHERE `shop_order`.`placed_at` BETWEEN '2026-02-01 00:00:00' AND '2026-02-28 23:59:59.999999' GROUP BY `auth_user`.`country_id` ORDER BY NULL;
SELECT COUNT(DISTINCT `shop_order`.`user_id`) AS `buyers` FROM `shop_order` WHERE `shop_order`.`placed_at` >= '2026-02-01 00:00:00';
SELECT AVG(`shop_order`.`total`) AS `avg` FROM `shop_order` WHERE `shop_order`.`status` = 'done';
SELECT CAST(DATE_FORMAT(`shop_order`.`placed_at`, '%Y-%m-01') AS DATE) AS `month`, SUM(`shop_order`.`total`) AS `turnover` FROM `shop_order` GROUP BY CAST(DATE_FORMAT(`shop_order`.`placed_at`, '%Y-%m-01') AS DATE) ORDER BY `month` ASC;

-- page: best buyers (report), weight: 1
SELECT `shop_order`.`user_id`, SUM(`shop_order`.`total`) AS `spent` FROM `shop_order` WHERE `shop_order`.`status` = 'done' GROUP BY `shop_order`.`user_id` HAVING SUM(`shop_order`.`total`) > 500.00 ORDER BY `spent` DESC LIMIT 50;

-- page: best products (report), weight: 1
SELECT `catalog_product`.`id`, `catalog_product`.`name`, SUM(`shop_orderitem`.`quantity`) AS `sold` FROM `catalog_product` LEFT OUTER JOIN `shop_orderitem` ON (`catalog_product`.`id` = `shop_orderitem`.`product_id`) GROUP BY `catalog_product`.`id`, `catalog_product`.`name` ORDER BY `sold` DESC LIMIT 20;
SELECT DISTINCT `shop_orderitem`.`product_id` FROM `shop_orderitem` INNER JOIN `shop_order` ON (`shop_orderitem`.`order_id` = `shop_order`.`id`) WHERE `shop_order`.`placed_at` >= '2026-03-01 00:00:00';

-- page: visits (report), weight: 1
SELECT `analytics_pageview`.`seen_on`, COUNT(*) AS `views`, COUNT(DISTINCT `analytics_pageview`.`visitor`) AS `visitors` FROM `analytics_pageview` WHERE `analytics_pageview`.`seen_on` >= '2026-03-01' GROUP BY `analytics_pageview`.`seen_on`;
SELECT `auth_user`.`id`, COUNT(`analytics_pageview`.`id`) AS `views` FROM `auth_user` INNER JOIN `analytics_pageview` ON `analytics_pageview`.`visitor` = `auth_user`.`id` WHERE `auth_user`.`id` = {user} GROUP BY `auth_user`.`id`;

-- page: last visited products, weight: 10
@login;
SELECT DISTINCT `analytics_pageview`.`product_id` FROM `analytics_pageview` WHERE (`analytics_pageview`.`visitor` = {user} AND `analytics_pageview`.`product_id` IS NOT NULL) LIMIT 8;
SELECT {cols:catalog_product} FROM `catalog_product` WHERE `catalog_product`.`id` IN ({products:5});

-- page: old carts are deleted (cron), weight: 1
SELECT `shop_cart`.`id` FROM `shop_cart` WHERE (`shop_cart`.`user_id` IS NULL AND `shop_cart`.`updated_at` < '2026-02-14 03:00:00') LIMIT 1000;
DELETE FROM `shop_cartitem` WHERE `shop_cartitem`.`cart_id` IN (5001, 5002, 5003, 5004);
DELETE FROM `shop_cart` WHERE `shop_cart`.`id` IN (5001, 5002, 5003, 5004);

-- page: forgotten carts get a mail (cron), weight: 1
SELECT {cols:shop_cart}, {cols:auth_user} FROM `shop_cart` INNER JOIN `auth_user` ON (`shop_cart`.`user_id` = `auth_user`.`id`) WHERE (`shop_cart`.`updated_at` BETWEEN '2026-03-12 00:00:00' AND '2026-03-13 00:00:00' AND `auth_user`.`is_active`) ORDER BY `shop_cart`.`id` ASC LIMIT 500;
INSERT INTO `notifications_notification` {ins:notifications_notification} VALUES ('cart', NULL, NULL, '{now}', {user}), ('cart', NULL, NULL, '{now}', {user2});

-- page: points expire (cron), weight: 1
SELECT `auth_user`.`id`, SUM(`loyalty_pointentry`.`points`) AS `points` FROM `auth_user` INNER JOIN `loyalty_pointentry` ON `loyalty_pointentry`.`customer_no` = `auth_user`.`id` WHERE `loyalty_pointentry`.`created_at` < '2024-03-14 00:00:00' GROUP BY `auth_user`.`id`;
DELETE FROM `loyalty_pointentry` WHERE `loyalty_pointentry`.`created_at` < '2024-03-14 00:00:00';

-- page: old notifications are deleted (cron), weight: 1
DELETE FROM `notifications_notification` WHERE `notifications_notification`.`created_at` < '2025-09-14 00:00:00';

-- page: unpaid orders (cron), weight: 1
SELECT `shop_payment`.`id`, `shop_payment`.`order_id` FROM `shop_payment` WHERE (`shop_payment`.`state` = 'pending' AND `shop_payment`.`created_at` < '2026-03-14 08:00:00') ORDER BY `shop_payment`.`id` ASC LIMIT 200 FOR UPDATE;
UPDATE `shop_order` INNER JOIN `shop_payment` ON `shop_payment`.`order_id` = `shop_order`.`id` SET `shop_order`.`status` = 'cancelled' WHERE `shop_payment`.`state` = 'failed' AND `shop_order`.`status` = 'new';

-- page: an account is deleted, weight: 1
BEGIN;
DELETE FROM `authtoken_token` WHERE `authtoken_token`.`user_id` = {user};
DELETE FROM `notifications_notification` WHERE `notifications_notification`.`recipient_id` IN ({user});
DELETE FROM `social_follow` WHERE (`social_follow`.`follower_id` = {user} OR `social_follow`.`followed_id` = {user});
UPDATE `auth_user` SET `is_active` = 0, `email` = 'gone{user}@example.org', `username` = 'gone{user}' WHERE `auth_user`.`id` = {user};
COMMIT;
