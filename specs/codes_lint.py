"""SW43xx, SW51xx and SW61xx: what lint rules advise. The rules are in `compiler/lint/rules`, one file each."""

from __future__ import annotations

from shardwright.specs.code_entry import Code

LINT_SCHEMA: tuple[Code, ...] = (
    Code(
        "SW4302",
        "AUTO_INCREMENT does not come along",
        "Each physical table would count by itself, so two shards would give the same number to different rows. The target's\n"
        "columns have no AUTO_INCREMENT. Rows that are copied bring their numbers; the application must bring them for new\n"
        "rows before it writes to the shards.",
        "-- one row per table, raised by the application in blocks\n"
        "UPDATE sequence SET next = LAST_INSERT_ID(next + 1000) WHERE name = 'order_id';",
        suppressible="compile",
    ),
    Code(
        "SW4303",
        "a foreign key across shards",
        "The two rows may stand in different databases, where neither a foreign key nor a join reaches. Place both tables by\n"
        "the same column, make a small parent broadcast, or let the application look the row up.",
        "- table: order_item\n  sharding: by_user      # as order_info, so that both rows stand together",
        suppressible="compile",
    ),
    Code(
        "SW4304",
        "a foreign key to a table that is not moved",
        "The target's tables have no foreign keys, and the parent's rows are not there. Move the parent too, or go on reading\n"
        "it where it is.",
        "- table: region\n  sharding: broadcast",
        suppressible="compile",
    ),
    Code(
        "SW4305",
        "foreign keys are left out on the target",
        "A shard receives rows in the order of weights, not of foreign keys, so the target's tables have none. Until you add\n"
        "them there, nothing but the application keeps such rows from pointing at nothing.",
        suppressible="compile",
    ),
    Code(
        "SW4306",
        "changes that no log shows",
        "When a foreign key changes or deletes a row of the child, the storage engine does it, and servers before MySQL 9.6\n"
        "and all of MariaDB's write no event. The stream cannot see such changes. Let the application change the rows by its\n"
        "own statements while the migration runs, or make the foreign key RESTRICT.",
        "CONSTRAINT item_order FOREIGN KEY (order_id) REFERENCES order_info (order_id) ON DELETE RESTRICT",
        suppressible="compile",
    ),
    Code(
        "SW4307",
        "a trigger stays at the source",
        "Row changes that a trigger makes are in the log and arrive. The trigger itself is not created on the shards: it would\n"
        "run a second time for every row that is copied. When the application has switched, nothing does its work.",
        suppressible="compile",
    ),
    Code(
        "SW4308",
        "a default that differs between servers",
        "Copied rows bring their values. A row that the application writes to the source and to a shard gets two values, and\n"
        "statement-based replication of a shard two more. Let the application bring the value.",
        suppressible="compile",
    ),
    Code(
        "SW4311",
        "a storage engine without transactions",
        "A snapshot of the table is not consistent with the log's position, and on the shards a row stays written when the\n"
        "transaction that records it is rolled back. Change the engine on the source first.",
        "ALTER TABLE audit ENGINE=InnoDB;",
        suppressible="compile",
    ),
    Code(
        "SW4312",
        "a zero date as default",
        "MySQL refuses it in its default sql_mode: an application's INSERT that leaves the column out fails on the shards,\n"
        "and so does every later ALTER TABLE. Rows that hold such dates are copied as they are.",
        "`sent_at` datetime DEFAULT NULL",
        suppressible="compile",
    ),
    Code(
        "SW4313",
        "a bare TIMESTAMP",
        "What it means depends on explicit_defaults_for_timestamp, whose default changed in MySQL 8.0 and MariaDB 10.10. Write\n"
        "what you mean.",
        "`created_at` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP",
        suppressible="compile",
    ),
    Code(
        "SW4314",
        "an index that another one contains",
        "A look-up that uses it can use the longer one. Each physical table keeps both at every write.",
        "ALTER TABLE order_info DROP INDEX idx_user;    -- idx_user_status (user_id, status) serves",
        suppressible="compile",
    ),
)

LINT_ROUTING: tuple[Code, ...] = (
    Code(
        "SW5101",
        "a unique key without the shard key",
        "A server checks uniqueness within one physical table. When the rows of one value may stand in different ones, two of\n"
        "them can be written. Where the value comes from a generator that is unique by itself, say so in a suppression.",
        "UNIQUE KEY `uk_order` (`user_id`, `order_no`)    -- with shard_key: [user_id]",
        suppressible="compile",
    ),
    Code(
        "SW5105",
        "a detail that is not lighter than its parent",
        "Within a batch, lighter tables are written first. Details must be lighter than their parent, or a reader finds the\n"
        "parent before its details.",
        "- table: order_item\n  weight: 5\n- table: order_info\n  weight: 10",
        suppressible="compile",
    ),
    Code(
        "SW5106",
        "equal weights among parents and details",
        "Tables of one weight are written at the same time, in no order. Give parents a higher weight than their details, or\n"
        "accept that readers may see a parent first.",
        "- table: order_info\n  weight: 10",
        suppressible="compile",
    ),
)

LINT_DELETES: tuple[Code, ...] = (
    Code(
        "SW6101",
        "a version column that ties",
        "The version decides whether a row that others wrote on a shard stays. Two writes within one second have one version,\n"
        "so it cannot say which is newer.",
        "`updated_at` timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)",
        suppressible="compile",
    ),
    Code(
        "SW6102",
        "a version column that may be NULL",
        "NULL compares with nothing: such a row is not guarded.",
        "`version` bigint NOT NULL DEFAULT 0",
        suppressible="compile",
    ),
    Code(
        "SW6103",
        "deletes that are not remembered",
        "While rows are copied, a delete may pass before the chunk that still holds the row. Policy until_snapshot remembers\n"
        "it until no chunk can bring the row back.",
        "deletes: until_snapshot",
        suppressible="compile",
    ),
)
