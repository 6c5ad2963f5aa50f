-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: shop
-- ------------------------------------------------------

/*!40101 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;

CREATE TABLE `accounts_address` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `label` varchar(40) NOT NULL,
  `line1` varchar(120) NOT NULL,
  `postcode` varchar(12) NOT NULL,
  `city` varchar(80) NOT NULL,
  `country_id` char(2) NOT NULL,
  `is_default` tinyint(1) NOT NULL,
  `user_id` int(10) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  KEY `accounts_address_user_id` (`user_id`),
  KEY `accounts_address_country_id` (`country_id`),
  CONSTRAINT `accounts_address_country_fk` FOREIGN KEY (`country_id`) REFERENCES `core_country` (`code`),
  CONSTRAINT `accounts_address_user_fk` FOREIGN KEY (`user_id`) REFERENCES `auth_user` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=8001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `analytics_pageview` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `visitor` bigint(20) DEFAULT NULL COMMENT 'auth_user.id, or empty for guests',
  `path` varchar(200) NOT NULL,
  `product_id` bigint(20) unsigned DEFAULT NULL,
  `seen_at` datetime(6) NOT NULL,
  `seen_on` date GENERATED ALWAYS AS (cast(`seen_at` as date)) STORED,
  PRIMARY KEY (`id`),
  KEY `analytics_pageview_visitor` (`visitor`,`seen_at`),
  KEY `analytics_pageview_seen_on` (`seen_on`)
) ENGINE=InnoDB AUTO_INCREMENT=15001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `auth_user` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `password` varchar(128) NOT NULL,
  `last_login` datetime(6) DEFAULT NULL,
  `is_superuser` tinyint(1) NOT NULL,
  `username` varchar(150) NOT NULL,
  `first_name` varchar(150) NOT NULL,
  `last_name` varchar(150) NOT NULL,
  `email` varchar(254) NOT NULL,
  `is_staff` tinyint(1) NOT NULL,
  `is_active` tinyint(1) NOT NULL,
  `date_joined` datetime(6) NOT NULL,
  `country_id` char(2) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `username` (`username`),
  UNIQUE KEY `auth_user_email_uniq` (`email`),
  KEY `auth_user_country_id` (`country_id`),
  CONSTRAINT `auth_user_country_fk` FOREIGN KEY (`country_id`) REFERENCES `core_country` (`code`)
) ENGINE=InnoDB AUTO_INCREMENT=5001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `authtoken_token` (
  `key` varchar(40) NOT NULL,
  `created` datetime(6) NOT NULL,
  `user_id` int(10) unsigned NOT NULL,
  PRIMARY KEY (`key`),
  UNIQUE KEY `user_id` (`user_id`),
  CONSTRAINT `authtoken_token_user_fk` FOREIGN KEY (`user_id`) REFERENCES `auth_user` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `catalog_category` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(80) NOT NULL,
  `slug` varchar(80) NOT NULL,
  `parent_id` bigint(20) unsigned DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `slug` (`slug`),
  KEY `catalog_category_parent_id` (`parent_id`),
  CONSTRAINT `catalog_category_parent_fk` FOREIGN KEY (`parent_id`) REFERENCES `catalog_category` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=121 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `catalog_product` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `sku` varchar(32) NOT NULL,
  `name` varchar(160) NOT NULL,
  `slug` varchar(160) NOT NULL,
  `price` decimal(10,2) NOT NULL,
  `attributes` json DEFAULT NULL,
  `status` enum('draft','active','retired') NOT NULL DEFAULT 'active',
  `created_at` datetime(6) NOT NULL,
  `category_id` bigint(20) unsigned NOT NULL,
  `seller_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `sku` (`sku`),
  UNIQUE KEY `slug` (`slug`),
  KEY `catalog_product_category_id` (`category_id`),
  KEY `catalog_product_seller_id` (`seller_id`),
  CONSTRAINT `catalog_product_category_fk` FOREIGN KEY (`category_id`) REFERENCES `catalog_category` (`id`),
  CONSTRAINT `catalog_product_seller_fk` FOREIGN KEY (`seller_id`) REFERENCES `catalog_seller` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `catalog_productimage` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `file` varchar(100) NOT NULL,
  `position` smallint(5) unsigned NOT NULL,
  `product_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  KEY `catalog_productimage_product_id` (`product_id`),
  CONSTRAINT `catalog_productimage_product_fk` FOREIGN KEY (`product_id`) REFERENCES `catalog_product` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `catalog_seller` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(120) NOT NULL,
  `slug` varchar(120) NOT NULL,
  `rating` decimal(3,2) DEFAULT NULL,
  `country_id` char(2) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `slug` (`slug`),
  KEY `catalog_seller_country_id` (`country_id`),
  CONSTRAINT `catalog_seller_country_fk` FOREIGN KEY (`country_id`) REFERENCES `core_country` (`code`)
) ENGINE=InnoDB AUTO_INCREMENT=121 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `catalog_stock` (
  `product_id` bigint(20) unsigned NOT NULL,
  `on_hand` int(11) NOT NULL,
  `reserved` int(11) NOT NULL,
  `available` int(11) GENERATED ALWAYS AS (`on_hand` - `reserved`) VIRTUAL,
  `updated_at` datetime(6) NOT NULL,
  PRIMARY KEY (`product_id`),
  CONSTRAINT `catalog_stock_product_fk` FOREIGN KEY (`product_id`) REFERENCES `catalog_product` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `core_country` (
  `code` char(2) NOT NULL,
  `name` varchar(80) NOT NULL,
  `vat_rate` decimal(5,2) NOT NULL,
  PRIMARY KEY (`code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `core_shippingmethod` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(60) NOT NULL,
  `carrier` varchar(40) NOT NULL,
  `price` decimal(8,2) NOT NULL,
  `is_active` tinyint(1) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=13 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `loyalty_pointentry` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `customer_no` varchar(20) NOT NULL COMMENT 'auth_user.id as the cash desks print it',
  `points` int(11) NOT NULL,
  `reason` varchar(60) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `loyalty_pointentry_customer_no` (`customer_no`)
) ENGINE=InnoDB AUTO_INCREMENT=10001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `notifications_notification` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `kind` varchar(30) NOT NULL,
  `payload` json DEFAULT NULL,
  `read_at` datetime(6) DEFAULT NULL,
  `created_at` datetime(6) NOT NULL,
  `recipient_id` int(10) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  KEY `notifications_recipient` (`recipient_id`,`created_at`),
  CONSTRAINT `notifications_recipient_fk` FOREIGN KEY (`recipient_id`) REFERENCES `auth_user` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=12001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `reviews_review` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `stars` smallint(5) unsigned NOT NULL,
  `body` longtext NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `product_id` bigint(20) unsigned NOT NULL,
  `user_id` int(10) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `reviews_review_user_product_uniq` (`user_id`,`product_id`),
  KEY `reviews_review_product_id` (`product_id`),
  CONSTRAINT `reviews_review_product_fk` FOREIGN KEY (`product_id`) REFERENCES `catalog_product` (`id`),
  CONSTRAINT `reviews_review_user_fk` FOREIGN KEY (`user_id`) REFERENCES `auth_user` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=6001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `shop_cart` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `token` char(32) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `updated_at` datetime(6) NOT NULL,
  `coupon_id` bigint(20) unsigned DEFAULT NULL,
  `user_id` int(10) unsigned DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `token` (`token`),
  KEY `shop_cart_user_id` (`user_id`),
  KEY `shop_cart_coupon_id` (`coupon_id`),
  CONSTRAINT `shop_cart_coupon_fk` FOREIGN KEY (`coupon_id`) REFERENCES `shop_coupon` (`id`),
  CONSTRAINT `shop_cart_user_fk` FOREIGN KEY (`user_id`) REFERENCES `auth_user` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=6001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `shop_cartitem` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `quantity` int(10) unsigned NOT NULL,
  `added_at` datetime(6) NOT NULL,
  `cart_id` bigint(20) unsigned NOT NULL,
  `product_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `shop_cartitem_cart_product_uniq` (`cart_id`,`product_id`),
  KEY `shop_cartitem_product_id` (`product_id`),
  CONSTRAINT `shop_cartitem_cart_fk` FOREIGN KEY (`cart_id`) REFERENCES `shop_cart` (`id`),
  CONSTRAINT `shop_cartitem_product_fk` FOREIGN KEY (`product_id`) REFERENCES `catalog_product` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=9001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `shop_coupon` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `code` varchar(24) NOT NULL,
  `percent` smallint(5) unsigned NOT NULL,
  `used_count` int(10) unsigned NOT NULL,
  `valid_until` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `code` (`code`)
) ENGINE=InnoDB AUTO_INCREMENT=61 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `shop_order` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `number` varchar(20) NOT NULL,
  `status` enum('new','paid','packed','shipped','done','cancelled') NOT NULL DEFAULT 'new',
  `total` decimal(12,2) NOT NULL,
  `placed_at` datetime(6) NOT NULL,
  `gift_message` longtext DEFAULT NULL,
  `coupon_id` bigint(20) unsigned DEFAULT NULL,
  `ship_to_id` bigint(20) unsigned DEFAULT NULL,
  `shipping_method_id` bigint(20) unsigned NOT NULL,
  `user_id` int(10) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `number` (`number`),
  KEY `shop_order_user_placed` (`user_id`,`placed_at`),
  KEY `shop_order_status` (`status`,`placed_at`),
  KEY `shop_order_coupon_id` (`coupon_id`),
  KEY `shop_order_ship_to_id` (`ship_to_id`),
  KEY `shop_order_shipping_method_id` (`shipping_method_id`),
  CONSTRAINT `shop_order_coupon_fk` FOREIGN KEY (`coupon_id`) REFERENCES `shop_coupon` (`id`),
  CONSTRAINT `shop_order_method_fk` FOREIGN KEY (`shipping_method_id`) REFERENCES `core_shippingmethod` (`id`),
  CONSTRAINT `shop_order_ship_to_fk` FOREIGN KEY (`ship_to_id`) REFERENCES `accounts_address` (`id`),
  CONSTRAINT `shop_order_user_fk` FOREIGN KEY (`user_id`) REFERENCES `auth_user` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=12001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `shop_orderitem` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `quantity` int(10) unsigned NOT NULL,
  `unit_price` decimal(10,2) NOT NULL,
  `order_id` bigint(20) unsigned NOT NULL,
  `product_id` bigint(20) unsigned NOT NULL,
  `seller_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  KEY `shop_orderitem_order_id` (`order_id`),
  KEY `shop_orderitem_product_id` (`product_id`),
  KEY `shop_orderitem_seller_id` (`seller_id`),
  CONSTRAINT `shop_orderitem_order_fk` FOREIGN KEY (`order_id`) REFERENCES `shop_order` (`id`),
  CONSTRAINT `shop_orderitem_product_fk` FOREIGN KEY (`product_id`) REFERENCES `catalog_product` (`id`),
  CONSTRAINT `shop_orderitem_seller_fk` FOREIGN KEY (`seller_id`) REFERENCES `catalog_seller` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=24001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `shop_payment` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `provider` varchar(20) NOT NULL,
  `provider_ref` varchar(64) NOT NULL,
  `amount` decimal(12,2) NOT NULL,
  `state` varchar(16) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `order_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `provider_ref` (`provider_ref`),
  KEY `shop_payment_order_id` (`order_id`),
  CONSTRAINT `shop_payment_order_fk` FOREIGN KEY (`order_id`) REFERENCES `shop_order` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=12001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `shop_refund` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `amount` decimal(12,2) NOT NULL,
  `reason` varchar(200) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `payment_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  KEY `shop_refund_payment_id` (`payment_id`),
  CONSTRAINT `shop_refund_payment_fk` FOREIGN KEY (`payment_id`) REFERENCES `shop_payment` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=1001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `shop_shipment` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `tracking_code` varchar(40) NOT NULL,
  `shipped_at` datetime(6) DEFAULT NULL,
  `order_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `tracking_code` (`tracking_code`),
  KEY `shop_shipment_order_id` (`order_id`),
  CONSTRAINT `shop_shipment_order_fk` FOREIGN KEY (`order_id`) REFERENCES `shop_order` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=12001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `shop_shipmentevent` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `code` varchar(20) NOT NULL,
  `place` varchar(80) NOT NULL,
  `happened_at` datetime(6) NOT NULL,
  `shipment_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  KEY `shop_shipmentevent_shipment_id` (`shipment_id`),
  CONSTRAINT `shop_shipmentevent_shipment_fk` FOREIGN KEY (`shipment_id`) REFERENCES `shop_shipment` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=18001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `social_follow` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `created_at` datetime(6) NOT NULL,
  `followed_id` int(10) unsigned NOT NULL,
  `follower_id` int(10) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `social_follow_pair_uniq` (`follower_id`,`followed_id`),
  KEY `social_follow_followed_id` (`followed_id`),
  CONSTRAINT `social_follow_followed_fk` FOREIGN KEY (`followed_id`) REFERENCES `auth_user` (`id`),
  CONSTRAINT `social_follow_follower_fk` FOREIGN KEY (`follower_id`) REFERENCES `auth_user` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=8001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `support_ticket` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `subject` varchar(200) NOT NULL,
  `state` varchar(16) NOT NULL,
  `opened_at` datetime(6) NOT NULL,
  `merged_into_id` bigint(20) unsigned DEFAULT NULL,
  `user_id` int(10) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  KEY `support_ticket_user_id` (`user_id`),
  KEY `support_ticket_merged_into_id` (`merged_into_id`),
  CONSTRAINT `support_ticket_merged_fk` FOREIGN KEY (`merged_into_id`) REFERENCES `support_ticket` (`id`),
  CONSTRAINT `support_ticket_user_fk` FOREIGN KEY (`user_id`) REFERENCES `auth_user` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `support_ticketreply` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `body` longtext NOT NULL,
  `by_staff` tinyint(1) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `ticket_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  KEY `support_ticketreply_ticket_id` (`ticket_id`),
  CONSTRAINT `support_ticketreply_ticket_fk` FOREIGN KEY (`ticket_id`) REFERENCES `support_ticket` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=9001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `wallet_account` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `balance` decimal(12,2) NOT NULL,
  `updated_at` datetime(6) NOT NULL,
  `user_id` int(10) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `user_id` (`user_id`),
  CONSTRAINT `wallet_account_user_fk` FOREIGN KEY (`user_id`) REFERENCES `auth_user` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `wallet_gift` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `amount` decimal(12,2) NOT NULL,
  `message` varchar(200) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `from_user_id` int(10) unsigned NOT NULL,
  `to_user_id` int(10) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  KEY `wallet_gift_from_user_id` (`from_user_id`),
  KEY `wallet_gift_to_user_id` (`to_user_id`),
  CONSTRAINT `wallet_gift_from_fk` FOREIGN KEY (`from_user_id`) REFERENCES `auth_user` (`id`),
  CONSTRAINT `wallet_gift_to_fk` FOREIGN KEY (`to_user_id`) REFERENCES `auth_user` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=1501 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `wishlists_item` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `note` varchar(120) NOT NULL,
  `added_at` datetime(6) NOT NULL,
  `product_id` bigint(20) unsigned NOT NULL,
  `wishlist_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  KEY `wishlists_item_product_id` (`product_id`),
  KEY `wishlists_item_wishlist_id` (`wishlist_id`),
  CONSTRAINT `wishlists_item_product_fk` FOREIGN KEY (`product_id`) REFERENCES `catalog_product` (`id`),
  CONSTRAINT `wishlists_item_wishlist_fk` FOREIGN KEY (`wishlist_id`) REFERENCES `wishlists_wishlist` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=10001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `wishlists_wishlist` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(80) NOT NULL,
  `share_token` char(22) DEFAULT NULL,
  `owner_id` int(10) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `share_token` (`share_token`),
  KEY `wishlists_wishlist_owner_id` (`owner_id`),
  CONSTRAINT `wishlists_wishlist_owner_fk` FOREIGN KEY (`owner_id`) REFERENCES `auth_user` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
