"""SW4xxx: target tables (SW40xx), the source's schema file (SW41xx), routed DDL changes (SW42xx), and what lint rules
advise
about schemas (SW43xx)."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

DDL: tuple[Code, ...] = (
    Code(
        "SW4001",
        "an index is left out on the target",
        "It needs a column that is not copied. Copy it, or accept the note.",
    ),
    Code(
        "SW4002",
        "a unique key is left out on the target",
        "It needs a column that is not copied, so the target will accept rows that the source refuses.",
    ),
    Code(
        "SW4003",
        "a check is left out on the target",
        "It needs a column that is not copied.",
    ),
    Code(
        "SW4004",
        "a generated column is left out on the target",
        "It is computed from a column that is not copied.",
    ),
    Code("SW4005", "a name is too long with its suffix", "Servers allow 64 characters. Use a shorter name with 'to'."),
    Code(
        "SW4006",
        "the table names no character set",
        "The target server's default may be another than the source's: text would be stored and compared differently.",
        ") DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;",
    ),
    Code("SW4007", "an executed comment", "Servers execute /*! ... */. Write it as plain SQL or drop it."),
    Code("SW4008", "a table option or key that is not supported", "It cannot be carried to the target as it is."),
    Code(
        "SW4009", "the key is not unique on the target", "Make the key the primary key or a unique key of the target."
    ),
    Code(
        "SW4010",
        "the primary key is left out on the target",
        "It needs a column that is not copied; copy it.",
    ),
    Code(
        "SW4011",
        "SERIAL hides a key",
        "Write the type and the key apart.",
        "id BIGINT UNSIGNED NOT NULL, UNIQUE KEY (id)",
    ),
    Code("SW4012", "a column needs another that is not copied", "Copy the other column, or exclude both."),
    Code(
        "SW4015",
        "a character set without its collation",
        "Servers differ in which collation a character set has where none is named: MySQL 8 takes utf8mb4_0900_ai_ci, "
        "MariaDB another one. Name both.",
        "ALTER TABLE order_info CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;",
    ),
    Code(
        "SW4016",
        "a character set that does not hold every text",
        "The statement would bring the table, or the default of its new columns, to a character set that lacks some "
        "characters of the one before. A server would refuse such texts, and the stream would stop at them.",
        "ALTER TABLE order_info CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;",
    ),
    Code(
        "SW4017",
        "a column whose texts are compared while the migration runs",
        "CONVERT TO gives every text column the same character set and collation. The message names a column whose "
        "texts decide about rows: in a key, a shard key, a version, a field group, a check or a generated "
        "column. With another collation the shards would take other texts for equal than the source does. Convert the "
        "table on every shard after `finish`. Or convert the source, import its schema, and begin a new migration.",
    ),
    Code(
        "SW4101",
        "a version comment in the schema file",
        "The tool reads what SHOW CREATE TABLE prints in such comments. This one holds something else: write its "
        "clause plainly.",
    ),
    Code("SW4102", "the schema file cannot be read", "It holds SQL that is not understood at the marked place."),
    Code(
        "SW4103",
        "not a CREATE TABLE",
        "A schema file holds CREATE TABLE statements; CREATE TRIGGER is read too, to warn of it. `shardwright import` "
        "writes one.",
    ),
    Code("SW4104", "a table is created twice", "The schema file has two CREATE TABLE statements for it."),
    Code(
        "SW4105",
        "a primary key over a prefix or an expression",
        "It does not name a row by whole values. Leave the table out with `ignore_tables`, or change its key.",
    ),
    Code("SW4106", "a column type that is not supported yet", "Exclude the column from the copy."),
    Code(
        "SW4107",
        "a word of the schema file would change its meaning",
        "The target table would be created in another form than the source's. Write the clause in the form of the "
        "message when that is what you mean.",
    ),
    Code(
        "SW4108",
        "clauses are left out of the target",
        "The server prints them in SHOW CREATE TABLE. They say how the source stores the table (partitions, "
        "checksums, compressed columns, ignored keys), or they need what the shards do not have (a sequence). Where "
        "the shards need one, add it by a file in ddl/; partitions are kept by `partitions: keep` in the table's "
        "entry.",
    ),
    Code(
        "SW4109",
        "a clause that makes another kind of table",
        "A system-versioned table keeps old rows and hidden columns, and a primary key over a period is no list of "
        "columns. A copy would lose what they mean. Leave the table out with `ignore_tables`, or drop the clause at "
        "the source (DROP SYSTEM VERSIONING loses the old rows) and import again.",
    ),
    Code(
        "SW4113",
        "the target cannot be partitioned like the source: a column is not the source's",
        "The spec says `partitions: keep`, and the PARTITION BY of the source divides rows by a column that the target "
        "does not have, or has in another form (cast, masked). Copy the column as it is, or drop the partitions "
        "(`partitions: drop`).",
    ),
    Code(
        "SW4114",
        "the target cannot be partitioned like the source: a key is without a column",
        "The spec says `partitions: keep`. Servers want every unique key of a partitioned table to hold all columns "
        "that its rows are divided by (error 1503). Choose another `key`, or drop the partitions (`partitions: drop`).",
    ),
    Code(
        "SW4115",
        "a PARTITION BY that is not understood",
        "The spec says `partitions: keep`, and the clause holds something that is not carried to the target: the "
        "message has the first such word. Tables of engines other than InnoDB and SYSTEM_TIME are such things. Drop "
        "the partitions (`partitions: drop`), and add them by hand.",
    ),
    Code(
        "SW4201",
        "a DDL file's name",
        "Changes are applied by number: four digits, '_', words, '.sql'.",
        "ddl/0001_add_note.sql",
    ),
    Code("SW4202", "a DDL file without a statement", "Remove the file or write the change into it."),
    Code("SW4203", "a DDL file cannot be read", "It holds SQL that is not understood at the marked place."),
    Code("SW4204", "DELIMITER is no SQL", "It is a word of the command-line client."),
    Code(
        "SW4205",
        "a statement whose meaning is not certain",
        "A statement that is not understood is not sent to the tables.",
    ),
    Code("SW4206", "a version comment in a DDL file", "Servers execute it. Write the clause plainly or leave it out."),
    Code("SW4207", "a word would change its meaning", "The statement would be sent in another form than you wrote it."),
    Code(
        "SW4208",
        "DDL that cannot be routed",
        "Statements about tables and indexes with common clauses can. The message names the clause, and what to do "
        "instead where that is known.",
    ),
    Code(
        "SW4209",
        "no foreign keys on the shards while a migration runs",
        "Leave them out on the target. A run writes rows in the order of weights, and a shard may receive a child row "
        "before its parent: the stream would stop. ON DELETE CASCADE and the like change rows on the shard that the "
        "ledgers do not know of, and most servers have no entry for it in their logs. Where parent and child rows are "
        "always on the same shard, add the key by hand after the migration has ended.",
        "ALTER TABLE item_3 ADD CONSTRAINT item_of_3 FOREIGN KEY (order_id) REFERENCES order_info_3 (order_id);",
    ),
    Code(
        "SW4210",
        "the change touches a column of the source",
        "It is copied, or generated as at the source. Change the spec first: exclude or rename the column there.",
    ),
    Code(
        "SW4211",
        "the column exists already",
        "It is copied from the source under that name, or generated as at the source. For a generated column: drop the "
        "statement, or exclude the column in the spec.",
    ),
    Code("SW4212", "the change drops the key", "Rows are found by their key: it cannot go while the stream runs."),
    Code("SW4213", "copied rows bring no value", "Let the new column be NULL, or give it a DEFAULT."),
    Code(
        "SW4214",
        "a unique key that the source lacks",
        "Two copied rows may collide in it, which stops the stream.",
    ),
    Code("SW4215", "two DDL files have one number", "Give the later one the next free number."),
    Code("SW4216", "a DDL change names a database", "Name the logical table only: it is on every shard."),
    Code("SW4217", "a DDL change of an unknown table", "It names no logical table of the spec."),
    Code(
        "SW4218",
        "IF [NOT] EXISTS",
        "On a server it would hide the physical tables that differ from the others. So such a condition of a clause is "
        "decided when the file is compiled, by the plan's CREATE TABLE and the statements before it, and the shards "
        "get the statement without it. It is refused where nothing is left of the statement, where another clause "
        "names the same thing, where it is not known what the table has, and for whole tables. Leave the words, or the "
        "statement, out.",
    ),
    Code(
        "SW4219",
        "a key or check without a name",
        "A resumed run finds by its name what is done already. A key gets its first column's name, and a check one of "
        "its table and its first column, where that is free. Give it a name where it is not.",
    ),
    Code(
        "SW4220",
        "a table of the migration as a whole",
        "Every shard holds its rows, and the ledgers depend on them. DDL files do not drop, rename or empty it.",
    ),
    Code(
        "SW4221",
        "a new table's name is taken",
        "Choose another name: this one belongs to a table of the spec or of the tool.",
    ),
    Code(
        "SW4222",
        "a DDL change names a column that the table does not have",
        "No column of the target's table has this name, and no DDL file adds, renames or drops one. The servers would "
        "refuse the statement. Where the column was dropped without a DDL file, say so in a later one.",
        "ALTER TABLE orders DROP COLUMN coupon;",
    ),
    Code(
        "SW4301",
        "the row key is not the primary key",
        "Rows are found, and chunks are read, by the key that the spec names. Without one, and without a primary key, "
        "that is the first unique key whose columns are all NOT NULL. InnoDB stores rows by the primary key: another "
        "key costs a second look-up per row. A table without a primary key gets one on the shards.",
        "ALTER TABLE audit ADD PRIMARY KEY (entry_id);",
    ),
    Code(
        "SW4302",
        "AUTO_INCREMENT is dropped on the target",
        "Each physical table would count by itself, so two shards would give the same number to different rows. The "
        "target's columns have no AUTO_INCREMENT, and are visible. Copied rows bring their numbers. For new rows, "
        "generate ids in the application (from a segment table, or snowflake ids) before it writes to the shards. "
        "`ids` in the spec names the segment table, which a cutover sets behind the source's numbers. It also keeps "
        "AUTO_INCREMENT for a table that is not sharded.",
        "ids:\n  - column: orders.id\n    shards: {table: id_segment, database: order_db_0, name: orders}",
    ),
    Code(
        "SW4303",
        "a foreign key across shards",
        "The two rows may be in different databases, where neither a foreign key nor a join reaches. Place both "
        "tables by the same column, make a small parent broadcast, or look the row up in the application.",
        "- table: order_item\n  sharding: by_user      # as order_info, so that both rows are on one shard",
    ),
    Code(
        "SW4304",
        "a foreign key to a table that is not moved",
        "The target's tables have no foreign keys, and the parent's rows are not there. Move the parent too, or "
        "continue to read it where it is.",
        "- table: region\n  sharding: broadcast",
    ),
    Code(
        "SW4305",
        "foreign keys are left out on the target",
        "A shard receives rows in the order of weights, not of foreign keys. So the target's tables have none, and "
        "DDL files add none (SW4209). Only the application keeps child rows from pointing at missing parents. After "
        "the migration has ended, add them by hand on every shard, for tables whose rows are on the same shard.",
    ),
    Code(
        "SW4306",
        "changes that no log shows",
        "When a foreign key changes or deletes child rows, the storage engine does it. Servers before MySQL 9.6, and "
        "all of MariaDB's, write no event for that, so the stream cannot see such changes. While the migration runs, "
        "change the rows by statements of the application, or make the foreign key RESTRICT.",
        "CONSTRAINT item_order FOREIGN KEY (order_id) REFERENCES order_info (order_id) ON DELETE RESTRICT",
    ),
    Code(
        "SW4307",
        "a trigger stays at the source",
        "The changes that a trigger makes are in the log and arrive. The trigger itself is not created on the shards: "
        "it would run a second time for every row that is copied. After cut-over, the shards lack what the trigger "
        "does.",
    ),
    Code(
        "SW4308",
        "a default that differs between servers",
        "Copied rows bring their values. A row that the application writes to the source and to a shard gets two "
        "different values. Statement-based replication of a shard adds two more. Set the value in the application.",
    ),
    Code(
        "SW4309",
        "ON UPDATE CURRENT_TIMESTAMP beside columns of the shards' own",
        "What this tool writes never fires ON UPDATE. A statement of yours that fills a column which only the shards "
        "have does, and then the row differs from the source.",
        "UPDATE order_info_0 SET channel = 'app', updated_at = updated_at WHERE channel = 'web';",
    ),
    Code(
        "SW4310",
        "a unique key over floating point values",
        "Two values that print alike may differ in the last bit, and the same sum in another order gives another "
        "value. Use DECIMAL where equality matters.",
        "`rate` decimal(10,4) NOT NULL",
    ),
    Code(
        "SW4311",
        "a storage engine without transactions",
        "A snapshot of the table is not consistent with the log's position, and on the shards a row stays written "
        "when the transaction that records it is rolled back. Change the engine on the source first.",
        "ALTER TABLE audit ENGINE=InnoDB;",
    ),
    Code(
        "SW4312",
        "a zero date as default",
        "MySQL refuses it in its default sql_mode: an application's INSERT that leaves the column out fails on the "
        "shards, and so does every later ALTER TABLE. Rows that hold such dates are copied as they are.",
        "`sent_at` datetime DEFAULT NULL",
    ),
    Code(
        "SW4313",
        "a bare TIMESTAMP",
        "What it means depends on explicit_defaults_for_timestamp, whose default changed in MySQL 8.0 and MariaDB "
        "10.10. Write what you mean.",
        "`created_at` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP",
    ),
    Code(
        "SW4314",
        "an index that another one contains",
        "A look-up that uses it can use the longer one. Each physical table keeps both at every write.",
        "ALTER TABLE order_info DROP INDEX idx_user;    -- idx_user_status (user_id, status) serves",
    ),
    Code(
        "SW4316",
        "a reserved word as a new name",
        "Plans quote every name, applications seldom do. The word is reserved in MySQL 8 or 9.",
        "rename: {rank_no: position_no}",
    ),
    Code(
        "SW4317",
        "a table too wide for the tool's own tables",
        "Each shard keeps a stage table with the table's columns and a few of its own, and a table of tombstones with "
        "its key and one more column. Servers limit a row to 65,535 bytes (long texts and blobs not counted), an "
        "index entry to 3,072 bytes and a table to 1,017 columns.",
        "columns: {exclude: [legacy_note]}",
    ),
    Code(
        "SW4320",
        "a source table that no spec takes or ignores",
        "A forgotten table is noticed when it is missed, after cut-over. `import` (which has written the schema file) "
        "and `preflight` look at all tables of the source's databases. Add an entry that moves it, or list it in "
        "`ignore_tables`.",
        'ignore_tables: [schema_migrations, "tmp_*"]',
    ),
    Code(
        "SW4321",
        "an entry names no table",
        "It is a view, a sequence or a temporary table at the source: only tables are moved. Leave its entry out of "
        "the spec.",
    ),
)
