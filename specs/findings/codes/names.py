"""SW2xxx: names and references, inside a spec (SW20xx) and from a spec to the source's schema (SW21xx)."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

_IDS = """ids:
  - column: users.id
    shards: {table: id_segment, database: order_db_0, name: users}
    source: auto_increment"""
_ADD_COLUMN = "on_key_collision: {add_column: shop}"
_SHAPE = "sharding: {rule: by_user, shard_key: {parent: orders, via: [order_id]}}"

NAMES: tuple[Code, ...] = (
    Code(
        "SW2001",
        "there is no such sharding rule",
        "A table's `sharding` names a rule under `sharding:`, or is `broadcast`, or {single: DATABASE}.",
    ),
    Code(
        "SW2002",
        "a single table's database is not in the target",
        "{single: DATABASE} names one of the target's databases. Padding counts: order_db_0 is not order_db_00.",
    ),
    Code(
        "SW2003",
        "a table has two entries",
        "Two entries for one source table contradict each other or repeat each other. Names are compared without "
        "letter case, because servers differ in that.",
    ),
    Code(
        "SW2004",
        "two entries write to one table",
        "Several source tables become one logical table through one entry with a pattern, so that they share every "
        "rule.",
        '- table: "order_item_*"\n  expect: 16\n  to: order_item\n  sharding: by_user',
    ),
    Code(
        "SW2005", "a reserved word as a rule's name", "'broadcast' and 'single' already mean something in `sharding`."
    ),
    Code(
        "SW2006",
        "the table's shard key does not fit the rule",
        "A table that names its own shard key columns gives one for each column of the rule, in the same order.",
    ),
    Code("SW2007", "there is no such parent table", "`parent` is the logical name of another table of the same spec."),
    Code(
        "SW2008",
        "a pattern needs 'to' and 'expect'",
        "`to` names the logical table that the matches become. `expect` is how many there are: without it a new or a "
        "dropped source table would change the migration without a line of review.",
        '- table: "order_item_*"\n  expect: 16\n  to: order_item\n  sharding: by_user',
    ),
    Code("SW2009", "'expect' without a pattern", "A plain table name matches exactly one table."),
    Code("SW2010", "'to' is a pattern", "The target of a move is one logical table, named without * ? or [."),
    Code("SW2011", "a column is chosen and excluded", "A column cannot be excluded and also included or renamed."),
    Code("SW2012", "two columns get one name", "Column names are compared without letter case, as the server does it."),
    Code(
        "SW2013",
        "a path leads out of the project",
        "Paths in a spec are relative to the project folder (the one that holds specs/) and stay below it, so that a "
        "spec means the same on every machine and cannot pull in other files.",
        "schema: schema/shop.sql",
    ),
    Code(
        "SW2014",
        "which source database is copied",
        "A broadcast table is the same in every shard, so it comes from one source database. When the source has "
        "several, name the one to copy. The tables of that name in the others are not copied.",
        "- table: region\n  sharding: {broadcast: {from: shop_0}}",
    ),
    Code("SW2015", "no such source database", "`from` is one of the source's databases. Padding counts."),
    Code(
        "SW2016",
        "two logical tables with one physical table",
        "The name of a physical table is the logical name and a suffix. 'orders' with the suffix '_00' and a table "
        "'orders_00' have the same one. Rename one with `to`, or choose other suffixes.",
    ),
    Code(
        "SW2017",
        "an exception that leaves out nothing",
        "`except` lists names or patterns of tables that a pattern matches but that are not meant. One that leaves "
        "out nothing is most often misspelt, or the table was dropped.",
        '- table: "order_item_*"\n  except: [order_item_backup]\n  expect: 16\n  to: order_item\n  sharding: by_user',
    ),
    Code(
        "SW2018",
        "a source table that two entries mean",
        "A table is moved once. Leave it out of the pattern that matches it by accident.",
        '- table: "order_*"\n  except: [order_log]',
    ),
    Code(
        "SW2019",
        "a source table that nothing mentions",
        "The schema file holds a table that no entry of the spec, and of no other spec that reads this file, moves, "
        "leaves out or ignores. A forgotten table is noticed when it is missed, so say what happens to it.",
        'ignore_tables: [schema_migrations, "tmp_*"]',
    ),
    Code(
        "SW2020",
        "an ignored table that is not there",
        "A name in `ignore_tables` that the schema file does not have is most often misspelt. A pattern (`_*_old`) "
        "may match no table.",
    ),
    Code(
        "SW2021",
        "a split source table with a part missing",
        "The source splits its tables (`tables_suffix`). The schema file describes each part of a table, or one for "
        "all of them: some but not all means that the suffixes or the file are wrong.",
    ),
    Code(
        "SW2022",
        "a source table that is both split and whole",
        "With `tables_suffix: \"_{0..7}\"`, 'orders' means orders_0 to orders_7; the schema file holds a table "
        "'orders' too. Take the one that is not meant out of the schema file.",
    ),
    Code(
        "SW2023",
        "two specs write one target table",
        "A physical table belongs to one migration: its ledger rows, stages and tombstones do.",
    ),
    Code(
        "SW2024",
        "two specs with one migration name",
        "The name is the key of the ledgers on the shards and the name of the plan's folder.",
    ),
    Code(
        "SW2025",
        "shard keys of one rule that differ",
        "One function places all tables under a rule. So rows with equal shard keys are on one shard, and joins stay "
        "within it. That holds only when equal means the same for both: the columns are whole numbers, or of one "
        "type, character set and collation.",
    ),
    Code(
        "SW2027",
        "a column in two field groups",
        "A group is one thing that changes as a whole: a column belongs to one.",
    ),
    Code(
        "SW2028",
        "no entry means this table",
        "`shardwright show TABLE` takes a logical name, an entry's name or pattern, or a source table that a pattern "
        "matches.",
    ),
    Code(
        "SW2029",
        "a group's column is not copied",
        "A field group speaks of columns of the target. Copy the column, or take it out of the group.",
    ),
    Code(
        "SW2031",
        "`backward` says something that cannot be",
        "`backward.values` are for source columns that are not copied, in rows that are inserted on the shards; a "
        "column that comes back has its value from there. `backward.one_way` names columns that keep what the source "
        "has; the key cannot be one of them, because a row that goes back finds its own by it.",
        """tables:
  - table: order_info
    columns: {exclude: [internal_note]}
    backward: {values: {internal_note: "''"}}""",
    ),
    Code(
        "SW2032",
        "a rule of the source reads a column that does not come back",
        "Where several source tables become one, a rule under `source.sharding` says which of them a row is in. It "
        "reads the row as the shards have it. Copy its columns as they are, without cast and mask, and do not make "
        "them one way.",
        """source:
  sharding:
    by_order: {shard_key: [order_id], table: order_id % 4}""",
    ),
    Code(
        "SW2051",
        "a table is its own parent",
        "The place of a row cannot follow from itself. `parent` is another table: one whose own columns hold the shard "
        "key, or one that has a parent in turn. The topmost table has a shard key.",
        _SHAPE,
    ),
    Code(
        "SW2053",
        "the parent is sharded otherwise",
        "A child row is on the shard of its parent, in the table of the same number. So both tables are sharded by "
        "the same rule.",
        _SHAPE,
    ),
    Code(
        "SW2054",
        "'via' is not the parent's key",
        "`via` names one column for each column of the parent's key, in its order.",
        _SHAPE,
    ),
    Code(
        "SW2055",
        "a column of 'via' and the parent's key are of different types",
        "Equal values must be equal to the server and to us: two integers, two texts of one character set and "
        "collation, or the very same type. Change the column at the source.",
    ),
    Code(
        "SW2056",
        "a column of 'via' is not copied",
        "When the parent moves, its rows are found on their shard by this column. Take it out of `exclude`.",
    ),
    Code(
        "SW2057",
        "a delete policy that a child cannot have",
        "For a co-located child table, the tool remembers by key which rows a chunk may bring back. Use "
        "until_snapshot, which is exact, or immediate.",
    ),
    Code(
        "SW2058",
        "no index leads to a parent's rows",
        "Whenever a parent row is inserted, moved or deleted, the shard looks up its child rows by these columns. "
        "Without an index, each batch reads a whole table. Add one at the source before the move, or on the targets "
        "by a DDL change.",
        "ALTER TABLE order_item ADD KEY by_order (order_id)",
    ),
    Code(
        "SW2062",
        "MySQL cannot compute where a parent row belongs",
        "At the start, the source computes the places of all parent rows. Shard the parent by a rule that MySQL can "
        "compute.",
    ),
    Code(
        "SW2066",
        "a column for the source of rows that have one source",
        "`on_key_collision: {add_column: NAME}` is for tables that are put together from several source tables. A "
        "table with one source has no equal keys. Leave it out.",
        _ADD_COLUMN,
    ),
    Code(
        "SW2067",
        "a column for the source of rows that cannot be added",
        "The column's values are the names of source databases or tables, and the column is the last one of every "
        "unique key. The message says what is in the way.",
        _ADD_COLUMN,
    ),
    Code(
        "SW2071",
        "`ids` names a table that is not moved",
        "`column` is a table and a column by their names on the shards. A pattern's tables have the name that `to` "
        "gives them.",
        _IDS,
    ),
    Code(
        "SW2072",
        "a column of `ids` has no numbers that count",
        "The numbers of new rows are whole numbers, never NULL, and the same on both sides. Copy the column as it is, "
        "or as a wider integer, and not one way.",
        _IDS,
    ),
    Code(
        "SW2073",
        "two entries of `ids` for one thing",
        "A column has one entry. Each column has a row of its own in a segment table.",
    ),
    Code(
        "SW2074",
        "a column of `ids` is not counted like that",
        "AUTO_INCREMENT counts within one physical table, so sharded tables take their numbers from a segment table. "
        "A column is AUTO_INCREMENT on the shards only where it is so at the source. Where it is not, `source` says "
        "which segment table the application uses before a cutover and after a rollback.",
        _IDS,
    ),
    Code(
        "SW2075",
        "the database of a segment is not one of its side's",
        "A segment table on the shards is in one of the target's databases, one at the source in one of the source's. "
        "Our accounts write there only.",
        _IDS,
    ),
    Code(
        "SW2076",
        "no index leads to the largest number",
        "While writers wait, a cutover asks each table for the largest number. That reads one row where the column is "
        "first in an index. Without such an index it reads the whole table.",
        "ALTER TABLE coupons ADD INDEX (id)",
    ),
    Code(
        "SW2077",
        "a segment table that is moved",
        "The segment table of each side counts for the application that writes there. The stream would bring the "
        "source's count to the shards. Name the table under `ignore_tables`, and make the shards' own by a DDL file.",
        "ignore_tables: [id_segment]",
    ),
    Code(
        "SW2101",
        "the table is not in the source's schema",
        "The schema file has no CREATE TABLE for it, or the pattern matches none. `shardwright import` writes the "
        "file from the live source.",
    ),
    Code(
        "SW2102",
        "the pattern matches another number of tables",
        "The schema file was changed since `expect` was written. Look at the list in the message; if it is right, "
        "change `expect`.",
    ),
    Code("SW2103", "the tables of a pattern differ", "Tables that become one logical table have the same columns."),
    Code(
        "SW2104",
        "the column is not in the table",
        "The schema file has no such column. The note says where it looked. A table whose shard key has another name "
        "than the rule's says so: `sharding: {rule: by_customer, shard_key: [id]}`. A child table without the column "
        "takes it from its parent: `sharding: {rule: by_customer, shard_key: {parent: orders, via: [order_id]}}`.",
    ),
    Code("SW2105", "a key column is not copied", "Rows on the target are found by their key: copy all of its columns."),
    Code(
        "SW2106",
        "the table has no key",
        "Rows are distinguished by the primary key, or by the first unique key whose columns are all NOT NULL. Without "
        "either, add an invisible column to the source's table and make it the primary key: statements that do not "
        "name the column work as before. A table that may not be changed can go by `key: all_columns`: equal rows are "
        "counted, which is slow.",
        "ALTER TABLE audit\n"
        "  ADD COLUMN row_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT INVISIBLE,\n"
        "  ADD PRIMARY KEY (row_id);",
    ),
    Code("SW2107", "a reserved name", "Tables and columns whose names begin like that belong to the tool."),
    Code("SW2108", "two target columns have one name", "Rename one of them, or exclude it."),
    Code(
        "SW2109", "two entries make one logical table", "Give one of them another name with 'to', or use one pattern."
    ),
    Code(
        "SW2110",
        "a generated column that is to be changed",
        "Nothing copies a generated column: the target's server computes it from the other columns. So there is no "
        "value to cast, mask or replace. Exclude it, and derive a column of another name.",
    ),
    Code(
        "SW2111",
        "the key is no key",
        "`key` must be the primary key or a unique key whose columns are all NOT NULL: anything less could name two "
        "rows.",
    ),
    Code("SW2112", "a key column that cannot identify rows", "The message says why this type cannot be a row's key."),
    Code("SW2113", "a shard key column is not copied", "Verification and moves need it on the target: copy it."),
    Code(
        "SW2114",
        "a version column that cannot be compared",
        "The version says which of two rows is newer, so it is copied to the target. Integers, DATE, DATETIME and "
        "TIMESTAMP can be compared; other types are ordered by the server in ways that Spark does not share.",
    ),
    Code(
        "SW2115",
        "a column type that a queue's messages do not hold exactly",
        "MySQL's documents hold values of more types than JSON has, and each producer writes them in its own way. "
        "From the binlog such columns are copied. Take the changes from there, or exclude the column. MariaDB's JSON "
        "is text, and is copied from queues, too. Columns of type UUID, INET4, INET6 and VECTOR are read from the "
        "binlog only.",
    ),
    Code(
        "SW2116",
        "a name or a text that compiled SQL cannot hold",
        "Placeholders of compiled SQL begin with '${', and a line break would break its comments; no server accepts "
        "an empty name. Rename it at the source, or write the expression without it.",
    ),
    Code(
        "SW2117",
        "a generated column is computed from changed values",
        "The target's server computes a generated column from what the target has. Where the spec casts, masks or "
        "defaults a column that the expression reads, the outcome is another one than the source's. That is what a "
        "mask asks for; else exclude the generated column. An expression that fails over the new values stops the run.",
    ),
    Code(
        "SW2118",
        "a generated column that finds or places rows",
        "Row key, shard key, parent's key and version travel with each row, and only the servers compute a generated "
        "column. The message says what to name instead.",
    ),
    Code(
        "SW2119",
        "a stored generated column depends on the time zone",
        "A server computes a stored column in the session that writes the row. Our sessions have UTC. A function over "
        "a TIMESTAMP, such as DATE(), may give another value there than in the application's session. `verify` does "
        "not compare generated columns.",
    ),
    Code(
        "SW2120",
        "the schema file cannot be read",
        "`source.schema` names a UTF-8 file, relative to the project folder, that this user may read.",
    ),
    Code(
        "SW2121",
        "the DDL folder does not exist",
        "`ddl` names a folder, relative to the project folder. One that is not there counts as empty, since git keeps "
        "no empty folder. It is an error where `ddl` names a file, or where a folder of numbered files beside it has a "
        "similar name.",
    ),
    Code(
        "SW2122",
        "`key: all_columns` for a table that has a key",
        "`all_columns` is for tables without any key. A table with a key goes by it: leave `key` out. A unique key "
        "that allows NULL is no row key, and it keeps a table from going by all columns: make its columns NOT NULL.",
    ),
    Code(
        "SW2123",
        "a column by which no row can be found again",
        "Under `key: all_columns` a row is found by all of its values. Servers do not compare the values of this type "
        "exactly. Exclude the column, or give the table a key as SW2106 says.",
    ),
    Code(
        "SW2124",
        "a setting that needs a row key",
        "Under `key: all_columns` no row has a name of its own, and every change has to count exactly once. The "
        "message says what needs more than that. Leave it out, or give the table a key as SW2106 says.",
    ),
    Code(
        "SW2125",
        "rows of a table without a key are looked for",
        "Under `key: all_columns` a server looks for each row that is deleted or updated. An index over columns with "
        "many values makes this fast; without one, each deleted row costs a scan of a table. The whole table is read "
        "and staged before the stream begins, in one transaction at the source.",
        "ALTER TABLE visits ADD KEY (at, user_id);",
    ),
    Code(
        "SW2130",
        "a cast loses something",
        "Some values would not arrive as they are; the message says what is lost. Take a type that holds every value, "
        "or say in the spec that the loss is meant, and why.",
        "columns: {cast: {at: {type: datetime, loss: accept, reason: microseconds are not used}}}",
    ),
    Code(
        "SW2131",
        "a cast is impossible",
        "Values of the source's type may have no place in the target's type, or there is no way to it that is exact "
        "in Spark, in MySQL and in Python alike. docs/casts.md lists every change that is possible.",
    ),
    Code(
        "SW2132",
        "a type that cannot be read",
        "A type is written as in CREATE TABLE, without NOT NULL, DEFAULT or comments. Text may name its character set "
        "and collation; a cast keeps the column's own where the type names none.",
        "type: varchar(40) character set utf8mb4 collate utf8mb4_bin",
    ),
    Code(
        "SW2133",
        "a loss is accepted where there is none",
        "The cast is lossless. Leave `loss` out: it would hide a real loss after a later change of the schema.",
    ),
    Code(
        "SW2134",
        "a derived column's type does not hold its values",
        "The message names the worst case of the expression, worked out from the types of its columns. Take a wider "
        "type, or bound the expression.",
        "columns: {derive: {region: {expr: 'left(country, 8)', type: varchar(8)}}}",
    ),
    Code(
        "SW2135",
        "a default that the column cannot hold",
        "A default is one literal of the source column's type. Write text and dates in quotes of their own inside the "
        "YAML text.",
        "columns: {default: {country: \"'XX'\"}}",
    ),
    Code("SW2136", "a mask that does not fit the column", "The message says which masks the column's type allows."),
    Code(
        "SW2137",
        "not supported yet: a salt",
        "A salt is a secret. Specs hold no secrets, and plans hold the SQL exactly as it runs. A hash without a salt "
        "hides long values. Short ones (telephone numbers, dates of birth) can be guessed by trying: redact those.",
    ),
    Code(
        "SW2138",
        "a mapping of a column that is not copied",
        "cast, default and mask say how a copied column's values change. Copy the column, or drop the mapping.",
    ),
    Code(
        "SW2139",
        "a mask beside another mapping",
        "A masked column is not cast and has no default. The mask is the only mapping.",
    ),
    Code("SW2140", "a default that is never used", "The source column is NOT NULL, so there is no NULL to replace."),
    Code(
        "SW2141",
        "a key, shard key or version column is changed",
        "Rows are found, ordered and placed by these columns on both sides, so their values arrive as they are. A "
        "wider integer, VARCHAR or VARBINARY of the same collation changes nothing about a value and is fine.",
    ),
    Code(
        "SW2142",
        "a unique column might collide",
        "Two rows with different values at the source could have equal values on the target, and the target would "
        "refuse one of them. A target collation that ignores letter case or accents does that, and so does a mask "
        "other than a hash.",
    ),
    Code(
        "SW2143",
        "a column that cannot be read",
        "Filters and derived columns are computed from the rows in the source's log. Those hold the values of STORED "
        "generated columns. VIRTUAL ones are computed when they are read, and messages of queues need not hold either.",
    ),
    Code(
        "SW2144",
        "a loss without a reason",
        "A reason is needed when a loss is accepted: the next reviewer was not there.",
    ),
    Code(
        "SW2160",
        "databases of ledgers cannot be called so",
        "`ledger.database` is a pattern: for each target database, its name takes the place of `{database}`. The names "
        "have the characters and the length of other databases.",
        'ledger: {database: "shardwright_{database}"}',
    ),
    Code(
        "SW2162",
        "a child that writes changed columns only",
        "A row that follows its parent is written whole to its new place. Leave `write` out, or shard the child by a "
        "column of its own.",
    ),
    Code(
        "SW2163",
        "two shards with one ledger",
        "The ledger of each target database records what that database has. Two of them in one database would "
        "overwrite each other. Put `{database}` into the pattern.",
        'ledger: {database: "shardwright_{database}"}',
    ),
    Code(
        "SW2164",
        "a ledger where rows are",
        "The database of a ledger is neither a target nor a source database, nor one that has the ledger of the way "
        "back (`_shardwright_...`). Choose another pattern, or leave `ledger` out: then the ledger is in the target "
        "database.",
        'ledger: {database: "shardwright_{database}"}',
    ),
    Code(
        "SW2165",
        "ledgers of two migrations in each other's way",
        "Two migrations with the same target databases have one ledger in each: there they see each other's runs and "
        "cutovers. So both specs have the same `ledger`. Migrations with other target databases have other ledgers, "
        "and no ledger is in a database with rows of the other one.",
    ),
    Code(
        "SW2172",
        "a child that does not say from which source its parent is",
        "The parent's key holds the name of the source database (`add_column`), so equal keys are several parents. A "
        "child row names its parent only when it has such a column itself, and both tables come from several databases "
        "with one table in each. Then its parent is the one in its own database. Give the child `on_key_collision: "
        "{add_column: NAME}`. Leave it out at the parent where the keys of all sources differ, or shard the child by a "
        "column of its own.",
        _ADD_COLUMN,
    ),
    Code(
        "SW2173",
        "a parent's source table whose name cannot be recorded",
        "The lookup table of a parent with several source tables says which of them a row is from. Rename the source "
        "table, or shard the child by a column of its own.",
    ),
)
