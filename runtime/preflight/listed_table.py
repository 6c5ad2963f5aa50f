"""A source table as information_schema lists it, held against the plan: its columns with their types and order, and its keys (one truth
about a table: what the server says, not a reading of its CREATE TABLE). Runs in the driver, asks the source, writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.catalogue import ColumnType
from shardwright.compiler.column_type import listed_type
from shardwright.compiler.ddl.plain_words import charset_word, collation_of
from shardwright.compiler.plan import SourceColumn, SourceName, TablePlan
from shardwright.runtime.stream_ddl.tolerance import Tolerance
from shardwright.runtime.transactions import query

_KIND = "SELECT table_type FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"
_COLUMNS = (
    "SELECT column_name, column_type, character_set_name, collation_name, is_nullable"
    " FROM information_schema.columns WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position"
)
_UNIQUE = (
    "SELECT index_name, column_name, sub_part FROM information_schema.statistics"
    " WHERE table_schema = %s AND table_name = %s AND non_unique = 0 ORDER BY index_name, seq_in_index"
)
_DEFAULTS = "SELECT character_set_name, default_collate_name FROM information_schema.character_sets"


@dataclass(frozen=True, slots=True)
class ListedTable:
    """`kind` is the server's word for it ("BASE TABLE", "VIEW", "SYSTEM VERSIONED"). `unique` holds the unique keys over whole columns, by
    index name. `collations`: character set -> its default collation on this server."""

    kind: str
    columns: tuple[SourceColumn, ...]
    unique: Mapping[str, tuple[str, ...]]
    collations: Mapping[str, str]


def read_listed(connection: Connection[Any], source: SourceName) -> ListedTable:
    """The table as it is now; one that the account may see and that is there."""
    place = (source.database, source.table)
    columns = (tuple(_text(value) for value in row) for row in query(connection, _COLUMNS, place))
    return ListedTable(
        str(_text(query(connection, _KIND, place)[0][0])),
        tuple(
            SourceColumn(str(name), listed_type(str(kind), charset=charset, collation=collation), nullable == "YES")
            for name, kind, charset, collation, nullable in columns
        ),
        _unique(query(connection, _UNIQUE, place)),
        {str(_text(name)): str(_text(default)) for name, default in query(connection, _DEFAULTS)},
    )


def first_difference(table: TablePlan, listed: ListedTable, tolerated: Tolerance) -> str | None:
    """What of the table is not as the plan knows it, in words; None when a run may follow it."""
    planned = [(column.name, full_type(column.type, listed.collations)) for column in table.source_columns]
    found = [(column.name, full_type(column.type, listed.collations)) for column in listed.columns]
    if not tolerated.admits(planned, found):
        return _column_difference(dict(planned), dict(found))
    if tolerated is Tolerance.ANY:
        return None
    key = [column.source for column in table.key_columns]
    if not any(sorted(key) == sorted(columns) for columns in listed.unique.values()):
        keys = ", ".join(f"{name} ({', '.join(columns)})" for name, columns in sorted(listed.unique.items()))
        return f"its row key ({', '.join(key)}) is no unique key at the source, which has {keys or 'none'}"
    if tolerated is Tolerance.ADDED:
        return None
    may_be_null = {column.name for column in listed.columns if column.nullable}
    loose = next((item.name for item in table.source_columns if item.name in may_be_null and not item.nullable), None)
    return f"column {loose} may be NULL at the source, and is NOT NULL in the plan" if loose else None


def _column_difference(planned: Mapping[str, ColumnType], found: Mapping[str, ColumnType]) -> str:
    for name in planned:
        if name not in found:
            return f"column {name} is gone"
        if planned[name] != found[name]:
            return f"column {name} is {found[name].sql} at the source, {planned[name].sql} in the plan"
    extra = [name for name in found if name not in planned]
    return f"column {extra[0]} is new" if extra else "the columns stand in another order"


def full_type(kind: ColumnType, collations: Mapping[str, str]) -> ColumnType:
    """With the collation that is meant where only the character set is written, in the names of today."""
    if not kind.charset:
        return kind
    collation = collation_of(kind.charset, kind.collation or "", collations)
    return replace(kind, charset=charset_word(kind.charset), collation=collation)


def _unique(rows: Sequence[tuple[Any, ...]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    partial: set[str] = set()
    for name, column, prefix in ((str(_text(row[0])), _text(row[1]), row[2]) for row in rows):
        found[name] = (*found.get(name, ()), column or "")
        if column is None or prefix is not None:
            partial.add(name)
    return {name: columns for name, columns in found.items() if name not in partial}


def _text(value: object) -> str | None:
    """MySQL answers some of these columns as bytes."""
    if value is None:
        return None
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
