"""SW4xxx: target tables (SW40xx), the source's schema file (SW41xx), routed DDL changes (SW42xx)."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

DDL: tuple[Code, ...] = (
    Code(
        "SW4001",
        "an index is left out on the target",
        "It needs a column that is not copied. Copy it, or accept the note.",
        suppressible="compile",
    ),
    Code(
        "SW4002",
        "a unique key is left out on the target",
        "It needs a column that is not copied, so the target will accept rows that the source refuses.",
        suppressible="compile",
    ),
    Code(
        "SW4003",
        "a check is left out on the target",
        "It needs a column that is not copied.",
        suppressible="compile",
    ),
    Code(
        "SW4004",
        "a generated column is left out on the target",
        "It is computed from a column that is not copied.",
        suppressible="compile",
    ),
    Code("SW4005", "a name is too long with its suffix", "Servers allow 64 characters. Use a shorter name with 'to'."),
    Code(
        "SW4006",
        "the table names no character set",
        "The target server's default may be another than the source's: text would be stored and compared differently.",
        ") DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;",
    ),
    Code("SW4007", "an executed comment", "Servers execute /*! ... */. Write it as plain SQL or drop it."),
    Code("SW4008", "a table option or key that is not supported", "It cannot be carried to the target as it stands."),
    Code(
        "SW4009", "the key is not unique on the target", "Make the key the primary key or a unique key of the target."
    ),
    Code(
        "SW4010",
        "the primary key is left out on the target",
        "It needs a column that is not copied; copy it.",
        suppressible="compile",
    ),
    Code(
        "SW4011",
        "SERIAL hides a key",
        "Write the type and the key apart.",
        "id BIGINT UNSIGNED NOT NULL, UNIQUE KEY (id)",
    ),
    Code("SW4012", "a column needs another that is not copied", "Copy the other column, or exclude both."),
    Code(
        "SW4101",
        "a version comment in the schema file",
        "What SHOW CREATE TABLE prints in such comments is read. This one holds something else: write its clause plainly.",
    ),
    Code("SW4102", "the schema file cannot be read", "It holds SQL that is not understood at the marked place."),
    Code(
        "SW4103",
        "not a CREATE TABLE",
        "A schema file holds CREATE TABLE statements; CREATE TRIGGER is read too, to warn of it. `shardwright import` writes one.",
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
        "The target table would be created in another form than the source's. Write the clause in the form of the message\n"
        "when that is what you mean.",
    ),
    Code(
        "SW4108",
        "clauses are left out of the target",
        "The server prints them in SHOW CREATE TABLE; they say how the source stores the table (partitions, checksums,\n"
        "compressed columns, ignored keys), or they need what the shards do not have (a sequence). Where the shards need one,\n"
        "add it by a file in ddl/.",
        suppressible="compile",
    ),
    Code(
        "SW4109",
        "a clause that makes another kind of table",
        "A system-versioned table keeps old rows and hidden columns, and a primary key over a period is no list of columns:\n"
        "a copy would lose what they mean. Leave the table out with `ignore_tables`, or drop the clause at the source\n"
        "(DROP SYSTEM VERSIONING loses the old rows) and import again.",
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
    Code("SW4205", "a statement whose meaning is not certain", "What is not understood is not sent to every table."),
    Code("SW4206", "a version comment in a DDL file", "Servers execute it. Write the clause plainly or leave it out."),
    Code("SW4207", "a word would change its meaning", "The statement would be sent in another form than you wrote it."),
    Code("SW4208", "DDL that cannot be routed yet", "Statements about tables and indexes with common clauses can."),
    Code(
        "SW4209",
        "foreign keys cannot hold across shards",
        "Leave them out on the target. A run writes rows in the order of weights, and a shard may receive a child row before its\n"
        "parent. Where parent and child rows are always on the same shard, add the key by hand after the migration has ended.",
    ),
    Code("SW4210", "the change touches a copied column", "Change the spec first: exclude or rename the column there."),
    Code("SW4211", "the column exists already", "It is copied from the source under that name."),
    Code("SW4212", "the change drops the key", "Rows are found by their key: it cannot go while the stream runs."),
    Code("SW4213", "copied rows bring no value", "Let the new column be NULL, or give it a DEFAULT."),
    Code(
        "SW4214",
        "a unique key that the source lacks",
        "Two copied rows may collide in it, which stops the stream.",
        suppressible="compile",
    ),
    Code("SW4215", "two DDL files have one number", "Give the later one the next free number."),
    Code("SW4216", "a DDL change names a database", "Name the logical table only: it stands on every shard."),
    Code("SW4217", "a DDL change of an unknown table", "It names no logical table of the spec."),
    Code("SW4218", "IF [NOT] EXISTS", "It would hide the physical tables that differ from the others."),
    Code(
        "SW4220",
        "a table of the migration as a whole",
        "Its rows and the ledgers that count on them stand on every shard: DDL files do not drop, rename or empty it.",
    ),
    Code(
        "SW4221", "a new table's name is taken", "Give it another: the spec's tables and the bookkeeping have theirs."
    ),
    Code(
        "SW4219", "a key or check without a name", "A resumed run finds by its name what is done already. Give it one."
    ),
)
