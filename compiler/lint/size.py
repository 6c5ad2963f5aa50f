"""Lint rules about sizes: rows and keys larger than servers allow, tables that grow in every database, too many tables.
The limits are
65,535 bytes a row and 3,072 an index entry.
"""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.expressions.addresses import SIZES
from shardwright.compiler.lint.rule import LintContext, LintTable, Rule
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.specs.findings.diagnostics import Diagnostic, Note, Severity
from shardwright.specs.spec.model import Broadcast

MAX_ROW_BYTES = 65_535
MAX_KEY_BYTES = 3_072
MAX_COLUMNS = 1_017

_FIXED = {
    "tinyint": 1,
    "smallint": 2,
    "mediumint": 3,
    "int": 4,
    "bigint": 8,
    "float": 4,
    "double": 8,
    "year": 1,
    "date": 3,
    "tinytext": 9,
    "tinyblob": 9,
    "text": 10,
    "blob": 10,
    "mediumtext": 11,
    "mediumblob": 11,
    "longtext": 12,
    "longblob": 12,
    "json": 12,
    "enum": 2,
    "set": 8,
    **SIZES,
}
_BYTES_PER_CHARACTER = {
    "utf8mb4": 4,
    "utf8mb3": 3,
    "utf8": 3,
    "utf16": 4,
    "utf32": 4,
    "ucs2": 2,
    "gb18030": 4,
    "ujis": 3,
    "eucjpms": 3,
}
_DOUBLE_BYTES = frozenset({"gbk", "big5", "sjis", "cp932", "euckr", "gb2312"})
_DECIMAL_REST = (0, 1, 1, 2, 2, 3, 3, 4, 4)


def row_bytes(kind: ColumnType) -> int:
    """The most that a column of the type takes of the row limit; long texts and blobs count with their pointer only."""
    length = kind.length or 1
    if kind.name == "char":
        return length * _per_character(kind)
    if kind.name == "varchar":
        return _with_length(length * _per_character(kind))
    if kind.name == "binary":
        return length
    if kind.name == "varbinary":
        return _with_length(length)
    if kind.name == "bit":
        return (length + 7) // 8
    if kind.name == "decimal":
        digits, scale = kind.precision or 10, kind.scale or 0
        return _decimal_bytes(digits - scale) + _decimal_bytes(scale)
    if kind.name in ("time", "datetime", "timestamp"):
        return {"time": 3, "datetime": 5, "timestamp": 4}[kind.name] + ((kind.precision or 0) + 1) // 2
    return _FIXED.get(kind.name, 12)


def key_bytes(kind: ColumnType) -> int:
    """The most that a column of the type takes in an index: as in a row, without the length."""
    if kind.name == "varchar":
        return (kind.length or 1) * _per_character(kind)
    return (kind.length or 1) if kind.name == "varbinary" else row_bytes(kind)


def _per_character(kind: ColumnType) -> int:
    charset = kind.charset or "utf8mb4"
    return _BYTES_PER_CHARACTER.get(charset, 2 if charset in _DOUBLE_BYTES else 1)


def _with_length(size: int) -> int:
    return size + (1 if size < 256 else 2)


def _decimal_bytes(digits: int) -> int:
    return digits // 9 * 4 + _DECIMAL_REST[digits % 9]


_STAGE_BYTES = (
    49  # what the stage's own columns take of a row: 3 BIGINT, 4 INT and a VARCHAR(8); sw_version_before by its type
)
_PLAIN_VERSION = ColumnType("bigint")
_MARKS_BYTES = 2 + 4096  # sw_changed
_INT_BYTES = 4  # sw_part in the tombstones' primary key; sw_source, too, where rows have owners


def check_bookkeeping_does_not_fit(context: LintContext) -> Iterator[Diagnostic]:
    """A table so wide that its stage or tombstone table cannot be created (hazard C29)."""
    for table in context.tables:
        for message in _excess(table):
            note = Note(f"'{table.source.name}' is defined at", table.source.span)
            hint = "leave columns out, or make them shorter or TEXT on the source"
            yield BOOKKEEPING_DOES_NOT_FIT.finding(message, context.span_of(table, "table"), hint=hint, notes=(note,))


def _excess(table: LintTable) -> Iterator[str]:
    types = {column.target: column.type for column in table.columns}
    version = table.target_name(table.entry.version_column) if table.entry.version_column else None
    marked = table.entry.write == "changed"
    nulls = (len(types) + 1 + marked + 7) // 8  # the copied columns, sw_version_before and sw_changed may be NULL
    row = sum(row_bytes(kind) for kind in types.values()) + nulls + _STAGE_BYTES
    row += row_bytes(types[version] if version else _PLAIN_VERSION) + (_MARKS_BYTES if marked else 0)
    keys = () if table.entry.by_all_columns else table.resolved.key
    own = _INT_BYTES * (2 if table.resolved.has_owners else 1)
    key = sum(key_bytes(types[name]) for name in keys) + own
    columns = len(types) + len(STAGE_COLUMNS) + marked
    stage = f"the table that stages changes of '{table.logical}' would"
    if columns > MAX_COLUMNS:
        yield f"{stage} have {columns:,} columns with its own {columns - len(types)}; servers allow {MAX_COLUMNS:,}"
    if row > MAX_ROW_BYTES:
        yield f"{stage} have rows of {row:,} bytes with its own columns; servers allow {MAX_ROW_BYTES:,}"
    if key > MAX_KEY_BYTES:
        yield (
            f"the table that keeps tombstones of '{table.logical}' would have a key of {key:,} bytes, {own} "
            f"more than the row key; servers allow {MAX_KEY_BYTES:,}"
        )


BOOKKEEPING_DOES_NOT_FIT = Rule(
    "SW4317",
    "bookkeeping-does-not-fit",
    Severity.ERROR,
    "a table too wide for the stage or tombstone table that goes with it",
    check_bookkeeping_does_not_fit,
)


def check_hot_broadcast(context: LintContext) -> Iterator[Diagnostic]:
    """A broadcast table whose rows belong to what the others are sharded by: it grows and changes with them."""
    keys = {
        table.shard_key[0].lower(): table for table in context.tables if table.function and len(table.shard_key) == 1
    }
    for table in context.tables:
        if not isinstance(table.entry.distribution, Broadcast) or len(table.shards) == 1:
            continue
        own_id = [name.lower() for name in table.source.primary_key]
        for column in table.source.columns:
            if [column.name.lower()] == own_id:
                continue  # what numbers its own rows says nothing of another table's, be the name the same
            owner = keys.get(column.name.lower())
            known = owner.source.column(column.name) if owner else None
            if owner is None or known is None or known.type.is_integer != column.type.is_integer:
                continue
            message = (
                f"'{table.logical}' is broadcast but has '{column.name}', by which '{owner.logical}' is sharded: it "
                f"grows with it, and each of its changes is written to all {len(table.shards)} databases"
            )
            note = Note(f"'{column.name}' is defined at", table.place_of(column.name))
            yield HOT_BROADCAST.finding(
                message, context.span_of(table, "sharding"), hint=f"shard it by '{column.name}' too", notes=(note,)
            )
            break


HOT_BROADCAST = Rule(
    "SW5109",
    "hot-broadcast",
    Severity.WARNING,
    "a broadcast table that has the column by which others are sharded",
    check_hot_broadcast,
)


MANY = 4_000
"""MySQL's default of table_open_cache; MariaDB's is 2,000."""


def check_many_tables(context: LintContext) -> Iterator[Diagnostic]:
    """More physical tables in a database than servers keep open."""
    for shard, database in enumerate(context.spec.target.databases):
        number = sum(len(table.suffixes) for table in context.tables if shard in table.shards)
        if number > MANY:
            message = (
                f"database '{database}' would hold {number:,} tables: servers keep {MANY:,} open by default, so "
                "statements wait for others to be opened, and each DDL change runs that often"
            )
            hint = "fewer suffixes and more databases; on one server raise table_open_cache and open_files_limit"
            yield MANY_TABLES.finding(message, context.spec.span_of(("target", "tables_suffix")), hint=hint)
            return


MANY_TABLES = Rule(
    "SW5110", "many-tables", Severity.WARNING, "more than 4,000 physical tables in one database", check_many_tables
)
