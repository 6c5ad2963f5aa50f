-- V12: notes on orders
-- author: a.smith

ALTER TABLE `orders`
    ADD COLUMN `note` VARCHAR(200) NULL DEFAULT NULL COMMENT 'free text' AFTER `amount`;
