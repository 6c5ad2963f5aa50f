--liquibase formatted sql
--changeset smith:1
alter table orders add channel varchar(20) default 'web' not null;
--rollback alter table orders drop column channel;
