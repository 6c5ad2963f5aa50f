-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: billing
-- ------------------------------------------------------

/*!40101 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;

CREATE TABLE `api_key` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `created_at` datetime(6) NOT NULL,
  `key_hash` char(64) NOT NULL,
  `last_used_at` datetime(6) DEFAULT NULL,
  `name` varchar(100) NOT NULL,
  `revoked` bit(1) NOT NULL,
  `tenant_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_api_key_hash` (`key_hash`),
  KEY `fk_api_key_tenant` (`tenant_id`),
  CONSTRAINT `fk_api_key_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=601 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `app_user` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `email` varchar(255) NOT NULL,
  `full_name` varchar(255) DEFAULT NULL,
  `password_hash` varchar(255) NOT NULL,
  `role` enum('OWNER','ACCOUNTANT','VIEWER','STAFF') NOT NULL,
  `tenant_id` bigint(20) DEFAULT NULL COMMENT 'empty for our own staff',
  `version` int(11) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_app_user_email` (`email`),
  KEY `fk_app_user_tenant` (`tenant_id`),
  CONSTRAINT `fk_app_user_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=1501 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `audit_log` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `action` varchar(60) NOT NULL,
  `actor` varchar(255) DEFAULT NULL,
  `created_at` datetime(6) NOT NULL,
  `details` json DEFAULT NULL,
  `tenant_id` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_audit_log_tenant` (`tenant_id`,`created_at`)
) ENGINE=InnoDB AUTO_INCREMENT=12001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `country` (
  `code` char(2) NOT NULL,
  `name` varchar(80) NOT NULL,
  `eu_member` bit(1) NOT NULL,
  PRIMARY KEY (`code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `credit_note` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `amount` decimal(19,2) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `credit_note_no` varchar(30) NOT NULL,
  `invoice_id` bigint(20) NOT NULL,
  `tenant_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_credit_note_no` (`credit_note_no`),
  KEY `fk_credit_note_invoice` (`tenant_id`,`invoice_id`),
  CONSTRAINT `fk_credit_note_invoice` FOREIGN KEY (`tenant_id`, `invoice_id`) REFERENCES `invoice` (`tenant_id`, `id`)
) ENGINE=InnoDB AUTO_INCREMENT=1001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `customer` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `country_code` char(2) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `email` varchar(255) NOT NULL,
  `external_ref` varchar(64) DEFAULT NULL,
  `name` varchar(255) NOT NULL,
  `state` enum('ACTIVE','PAUSED','CLOSED') NOT NULL,
  `tenant_id` bigint(20) NOT NULL,
  `version` int(11) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_customer_email` (`tenant_id`,`email`),
  KEY `ix_customer_external_ref` (`external_ref`),
  KEY `fk_customer_country` (`country_code`),
  CONSTRAINT `fk_customer_country` FOREIGN KEY (`country_code`) REFERENCES `country` (`code`),
  CONSTRAINT `fk_customer_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=9001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `customer_address` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `city` varchar(100) NOT NULL,
  `customer_id` bigint(20) NOT NULL,
  `kind` enum('BILLING','SHIPPING') NOT NULL,
  `line1` varchar(200) NOT NULL,
  `postcode` varchar(16) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `fk_customer_address_customer` (`customer_id`),
  CONSTRAINT `fk_customer_address_customer` FOREIGN KEY (`customer_id`) REFERENCES `customer` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=9001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `document` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `checksum` char(64) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `object_id` bigint(20) NOT NULL,
  `object_type` varchar(30) NOT NULL,
  `storage_path` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_document_object` (`object_type`,`object_id`)
) ENGINE=InnoDB AUTO_INCREMENT=10001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `invoice` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `currency` char(3) NOT NULL,
  `customer_id` bigint(20) NOT NULL,
  `due_on` date DEFAULT NULL,
  `invoice_no` varchar(30) DEFAULT NULL,
  `issued_on` date DEFAULT NULL,
  `issued_month` int(11) GENERATED ALWAYS AS (year(`issued_on`) * 100 + month(`issued_on`)) VIRTUAL,
  `paid_amount` decimal(19,2) NOT NULL DEFAULT 0.00,
  `state` enum('DRAFT','OPEN','PAID','VOID') NOT NULL,
  `tenant_id` bigint(20) NOT NULL,
  `total_amount` decimal(19,2) NOT NULL,
  `version` int(11) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_invoice_tenant_id` (`tenant_id`,`id`),
  UNIQUE KEY `uk_invoice_no` (`invoice_no`),
  KEY `ix_invoice_state_due` (`state`,`due_on`),
  KEY `fk_invoice_customer` (`customer_id`),
  CONSTRAINT `fk_invoice_customer` FOREIGN KEY (`customer_id`) REFERENCES `customer` (`id`),
  CONSTRAINT `fk_invoice_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=18001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `invoice_line` (
  `tenant_id` bigint(20) NOT NULL,
  `invoice_id` bigint(20) NOT NULL,
  `line_no` int(11) NOT NULL,
  `amount` decimal(19,2) NOT NULL,
  `description` varchar(255) NOT NULL,
  `quantity` decimal(19,6) NOT NULL,
  `subscription_id` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`tenant_id`,`invoice_id`,`line_no`),
  KEY `fk_invoice_line_subscription` (`subscription_id`),
  CONSTRAINT `fk_invoice_line_invoice` FOREIGN KEY (`tenant_id`, `invoice_id`) REFERENCES `invoice` (`tenant_id`, `id`),
  CONSTRAINT `fk_invoice_line_subscription` FOREIGN KEY (`subscription_id`) REFERENCES `subscription` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `invoice_sequence` (
  `tenant_id` bigint(20) NOT NULL,
  `prefix` varchar(10) NOT NULL,
  `next_no` bigint(20) NOT NULL,
  PRIMARY KEY (`tenant_id`,`prefix`),
  CONSTRAINT `fk_invoice_sequence_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `job_lock` (
  `name` varchar(64) NOT NULL,
  `lock_until` timestamp(3) NOT NULL DEFAULT current_timestamp(3),
  `locked_at` timestamp(3) NOT NULL DEFAULT current_timestamp(3),
  `locked_by` varchar(255) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `ledger_account` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `balance` decimal(19,2) NOT NULL,
  `code` varchar(20) NOT NULL,
  `tenant_id` bigint(20) NOT NULL,
  `version` int(11) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_ledger_account` (`tenant_id`,`code`),
  CONSTRAINT `fk_ledger_account_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=1501 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `ledger_entry` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `account_id` bigint(20) NOT NULL,
  `amount` decimal(19,2) NOT NULL,
  `booked_at` datetime(6) NOT NULL,
  `invoice_id` bigint(20) DEFAULT NULL,
  `tenant_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_ledger_entry_tenant` (`tenant_id`,`booked_at`),
  KEY `fk_ledger_entry_account` (`account_id`),
  CONSTRAINT `fk_ledger_entry_account` FOREIGN KEY (`account_id`) REFERENCES `ledger_account` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=18001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `meter` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `tenant_id` bigint(20) NOT NULL,
  `unit` varchar(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `fk_meter_tenant` (`tenant_id`),
  CONSTRAINT `fk_meter_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=901 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `outbox_event` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `created_at` datetime(6) NOT NULL,
  `payload` json NOT NULL,
  `sent_at` datetime(6) DEFAULT NULL,
  `tenant_slug` varchar(63) NOT NULL,
  `topic` varchar(60) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_outbox_event_sent` (`sent_at`,`id`),
  KEY `ix_outbox_event_tenant` (`tenant_slug`)
) ENGINE=InnoDB AUTO_INCREMENT=8001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `payment` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `amount` decimal(19,2) NOT NULL,
  `customer_id` bigint(20) NOT NULL,
  `provider_ref` varchar(64) NOT NULL,
  `received_at` datetime(6) NOT NULL,
  `state` enum('PENDING','SETTLED','FAILED') NOT NULL,
  `tenant_id` bigint(20) NOT NULL,
  `version` int(11) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_payment_provider_ref` (`provider_ref`),
  KEY `ix_payment_tenant` (`tenant_id`,`received_at`),
  KEY `fk_payment_customer` (`customer_id`),
  CONSTRAINT `fk_payment_customer` FOREIGN KEY (`customer_id`) REFERENCES `customer` (`id`),
  CONSTRAINT `fk_payment_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=12001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `payment_allocation` (
  `tenant_id` bigint(20) NOT NULL,
  `payment_id` bigint(20) NOT NULL,
  `invoice_id` bigint(20) NOT NULL,
  `amount` decimal(19,2) NOT NULL,
  PRIMARY KEY (`tenant_id`,`payment_id`,`invoice_id`),
  KEY `fk_allocation_payment` (`payment_id`),
  KEY `fk_allocation_invoice` (`tenant_id`,`invoice_id`),
  CONSTRAINT `fk_allocation_invoice` FOREIGN KEY (`tenant_id`, `invoice_id`) REFERENCES `invoice` (`tenant_id`, `id`),
  CONSTRAINT `fk_allocation_payment` FOREIGN KEY (`payment_id`) REFERENCES `payment` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `payment_method` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `card_brand` varchar(20) DEFAULT NULL,
  `customer_id` bigint(20) NOT NULL,
  `expires_on` date DEFAULT NULL,
  `is_default` bit(1) NOT NULL,
  `token` varchar(64) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `fk_payment_method_customer` (`customer_id`),
  CONSTRAINT `fk_payment_method_customer` FOREIGN KEY (`customer_id`) REFERENCES `customer` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=9001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `plan` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `code` varchar(40) NOT NULL,
  `name` varchar(100) NOT NULL,
  `retired` bit(1) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_plan_code` (`code`)
) ENGINE=InnoDB AUTO_INCREMENT=41 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `plan_price` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `amount` decimal(19,4) NOT NULL,
  `currency` char(3) NOT NULL,
  `plan_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_plan_price` (`plan_id`,`currency`),
  CONSTRAINT `fk_plan_price_plan` FOREIGN KEY (`plan_id`) REFERENCES `plan` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=121 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `refund` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `amount` decimal(19,2) NOT NULL,
  `payment_id` bigint(20) NOT NULL,
  `requested_at` datetime(6) NOT NULL,
  `state` enum('REQUESTED','DONE','REJECTED') NOT NULL,
  PRIMARY KEY (`id`),
  KEY `fk_refund_payment` (`payment_id`),
  CONSTRAINT `fk_refund_payment` FOREIGN KEY (`payment_id`) REFERENCES `payment` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=1001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `refund_event` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `happened_at` datetime(6) NOT NULL,
  `note` varchar(255) DEFAULT NULL,
  `refund_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `fk_refund_event_refund` (`refund_id`),
  CONSTRAINT `fk_refund_event_refund` FOREIGN KEY (`refund_id`) REFERENCES `refund` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `settlement` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `amount` decimal(19,2) NOT NULL,
  `from_tenant_id` bigint(20) NOT NULL,
  `settled_at` datetime(6) NOT NULL,
  `to_tenant_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `fk_settlement_from` (`from_tenant_id`),
  KEY `fk_settlement_to` (`to_tenant_id`),
  CONSTRAINT `fk_settlement_from` FOREIGN KEY (`from_tenant_id`) REFERENCES `tenant` (`id`),
  CONSTRAINT `fk_settlement_to` FOREIGN KEY (`to_tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=1001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `subscription` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `customer_id` bigint(20) NOT NULL,
  `next_billing_on` date DEFAULT NULL,
  `plan_id` bigint(20) NOT NULL,
  `quantity` int(11) NOT NULL,
  `replaces_id` bigint(20) DEFAULT NULL,
  `started_on` date NOT NULL,
  `state` enum('TRIAL','ACTIVE','PAST_DUE','CANCELLED') NOT NULL,
  `tenant_id` bigint(20) NOT NULL,
  `version` int(11) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_subscription_tenant` (`tenant_id`,`state`),
  KEY `ix_subscription_billing` (`state`,`next_billing_on`),
  KEY `fk_subscription_customer` (`customer_id`),
  KEY `fk_subscription_plan` (`plan_id`),
  KEY `fk_subscription_replaces` (`replaces_id`),
  CONSTRAINT `fk_subscription_customer` FOREIGN KEY (`customer_id`) REFERENCES `customer` (`id`),
  CONSTRAINT `fk_subscription_plan` FOREIGN KEY (`plan_id`) REFERENCES `plan` (`id`),
  CONSTRAINT `fk_subscription_replaces` FOREIGN KEY (`replaces_id`) REFERENCES `subscription` (`id`),
  CONSTRAINT `fk_subscription_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=9001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `tax_rate` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `country_code` char(2) NOT NULL,
  `percent` decimal(5,2) NOT NULL,
  `valid_from` date NOT NULL,
  PRIMARY KEY (`id`),
  KEY `fk_tax_rate_country` (`country_code`),
  CONSTRAINT `fk_tax_rate_country` FOREIGN KEY (`country_code`) REFERENCES `country` (`code`)
) ENGINE=InnoDB AUTO_INCREMENT=31 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `tenant` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `country_code` char(2) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `name` varchar(255) NOT NULL,
  `parent_tenant_id` bigint(20) DEFAULT NULL,
  `settings` json DEFAULT NULL,
  `slug` varchar(63) NOT NULL,
  `version` int(11) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_tenant_slug` (`slug`),
  KEY `fk_tenant_parent` (`parent_tenant_id`),
  KEY `fk_tenant_country` (`country_code`),
  CONSTRAINT `fk_tenant_country` FOREIGN KEY (`country_code`) REFERENCES `country` (`code`),
  CONSTRAINT `fk_tenant_parent` FOREIGN KEY (`parent_tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=301 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `usage_counter` (
  `tenant_id` bigint(20) NOT NULL,
  `meter_id` bigint(20) NOT NULL,
  `day` date NOT NULL,
  `total` decimal(19,6) NOT NULL,
  PRIMARY KEY (`tenant_id`,`meter_id`,`day`),
  KEY `fk_usage_counter_meter` (`meter_id`),
  CONSTRAINT `fk_usage_counter_meter` FOREIGN KEY (`meter_id`) REFERENCES `meter` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `usage_record` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `meter_id` bigint(20) NOT NULL,
  `quantity` decimal(19,6) NOT NULL,
  `recorded_at` datetime(6) NOT NULL,
  `request_id` char(36) NOT NULL,
  `subscription_id` bigint(20) NOT NULL,
  `tenant_id` int(11) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_usage_record_tenant` (`tenant_id`,`recorded_at`),
  KEY `ix_usage_record_subscription` (`subscription_id`)
) ENGINE=InnoDB AUTO_INCREMENT=30001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `webhook_delivery` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `attempts` int(11) NOT NULL,
  `endpoint_id` bigint(20) NOT NULL,
  `event_id` bigint(20) NOT NULL,
  `next_attempt_at` datetime(6) DEFAULT NULL,
  `response_code` int(11) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_webhook_delivery_next` (`next_attempt_at`),
  KEY `fk_webhook_delivery_endpoint` (`endpoint_id`),
  CONSTRAINT `fk_webhook_delivery_endpoint` FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoint` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=8001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE TABLE `webhook_endpoint` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `enabled` bit(1) NOT NULL,
  `secret` varchar(64) NOT NULL,
  `tenant_id` bigint(20) NOT NULL,
  `url` varchar(500) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `fk_webhook_endpoint_tenant` (`tenant_id`),
  CONSTRAINT `fk_webhook_endpoint_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenant` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=401 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
