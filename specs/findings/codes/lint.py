"""SW43xx, SW51xx and SW61xx: what lint rules advise. The rules are in `compiler/lint/rules`, one file each."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

LINT_SCHEMA: tuple[Code, ...] = (
    Code(
        "SW4301",
        "the row key is not the primary key",
        "Rows are found, and chunks are read, by the key that the spec names. InnoDB stores rows by the primary key: another key\n"
        "costs a second look-up per row. A table without a primary key gets one on the shards.",
        "ALTER TABLE audit ADD PRIMARY KEY (entry_id);",
        suppressible="compile",
    ),
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
        "A shard receives rows in the order of weights, not of foreign keys, so the target's tables have none, and\n"
        "DDL files bring none (SW4209): nothing but the application keeps such rows from pointing at nothing. After the migration\n"
        "has ended they can be added by hand on every shard, for tables whose rows are on the same shard.",
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
        "SW4309",
        "ON UPDATE CURRENT_TIMESTAMP beside columns of the shards' own",
        "What this tool writes never fires ON UPDATE. A statement of yours that fills a column which only the shards have does,\n"
        "and then the row differs from the source.",
        "UPDATE order_info_0 SET channel = 'app', updated_at = updated_at WHERE channel = 'web';",
        suppressible="compile",
    ),
    Code(
        "SW4310",
        "a unique key over floating point values",
        "Two values that print alike may differ in the last bit, and the same sum in another order gives another value. Use\n"
        "DECIMAL where equality matters.",
        "`rate` decimal(10,4) NOT NULL",
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
    Code(
        "SW4316",
        "a reserved word as a new name",
        "Plans quote every name, applications seldom do. The word is reserved in MySQL 8 or 9.",
        "rename: {rank_no: position_no}",
        suppressible="compile",
    ),
    Code(
        "SW4317",
        "a table too wide for its bookkeeping",
        "Each shard keeps a stage table with the table's columns and a few of its own, and a table of deletes with its key and\n"
        "one column more. Servers limit a row to 65,535 bytes (long texts and blobs not counted), an index entry to 3,072 bytes\n"
        "and a table to 1,017 columns.",
        "columns: {exclude: [legacy_note]}",
    ),
    Code(
        "SW4320",
        "a source table that no spec takes or ignores",
        "A forgotten table is noticed when it is missed, after the switch. `import` (which has written the schema file) and\n"
        "`preflight` look at all tables of the source's databases. Move it by an entry, or say that it stays.",
        'ignore_tables: [schema_migrations, "tmp_*"]',
    ),
    Code(
        "SW4321",
        "an entry names no table",
        "It is a view, a sequence or a temporary table at the source: only tables are moved. Leave its entry out of the spec.",
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
        "SW5102",
        "a sharding rule that spreads unevenly",
        "The compiled function was tried with keys as applications make them: random ones, ones that count up and, where nothing\n"
        "says that they count up, multiples of a stride and ids made of time, node and counter. One place would get more than\n"
        "twice its share. Hash the key first, or say in a suppression why your keys are different.",
        "database: crc32(user_id) % 16\ntable: (crc32(user_id) div 16) % 16",
        suppressible="compile",
    ),
    Code(
        "SW5103",
        "a shard key in another character set",
        "All three forms of a sharding function hash the UTF-8 bytes of the text. An application that hashes the bytes as they\n"
        "are stored finds other shards for letters beyond ASCII.",
        suppressible="compile",
    ),
    Code(
        "SW5104",
        "a shard key that ignores case",
        "The server calls two spellings equal, the sharding function does not: a look-up in another spelling goes to a shard\n"
        "that does not hold the row, and a unique key no longer keeps the second spelling out.",
        "`login` varchar(40) COLLATE utf8mb4_bin NOT NULL",
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
    Code(
        "SW5108",
        "arithmetic on a BIGINT UNSIGNED shard key",
        "Languages without unsigned integers see keys from 2^63 on as negative numbers, with other rests. The plan does not.",
        "database: crc32(account_id) % 16",
        suppressible="compile",
    ),
    Code(
        "SW5109",
        "a broadcast table that grows with the sharded ones",
        "Every change of a broadcast table is written to every database. That suits small tables that seldom change, not rows\n"
        "that belong to the things the other tables are sharded by.",
        "- table: user_setting\n  sharding: by_user",
        suppressible="compile",
    ),
    Code(
        "SW5110",
        "very many physical tables",
        "Servers keep a limited number of tables open and close one to open the next. Each logical DDL change becomes one\n"
        "statement for each physical table.",
        'target: {databases: "order_db_{000..255}", tables_suffix: "_{00..15}"}',
        suppressible="compile",
    ),
    Code(
        "SW5111",
        "a counted key from several sources",
        "AUTO_INCREMENT counts in each source table by itself, so the same key comes from more than one of them, and\n"
        "on_key_collision stops the run at the first. Sources that count with different offsets are safe: say so.",
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
