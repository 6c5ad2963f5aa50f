"""How does information_schema list a table, and in what does a source table differ from the plan (hazards E14, E15)?

What the server lists is compared, not a reading of its CREATE TABLE. Runs in the driver; reads one server, writes
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.ddl.shape.table_shape import charset_word, collation_of
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.plan.table_parts import SourceColumn, SourceName
from shardwright.compiler.schema.column_type import read_listed_type, type_words
from shardwright.runtime.mysql.transactions import decode_text, query
from shardwright.runtime.run.preflight.tolerance import Tolerance

_KIND = "SELECT table_type, engine FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"
_COLUMNS = (
    "SELECT column_name, column_type, character_set_name, collation_name, is_nullable"
    " FROM information_schema.columns WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position"
)
_UNIQUE = (
    "SELECT index_name, column_name, sub_part FROM information_schema.statistics"
    " WHERE table_schema = %s AND table_name = %s AND non_unique = 0 ORDER BY index_name, seq_in_index"
)


@dataclass(frozen=True, slots=True)
class ListedTable:
    """`kind` is the server's word ("BASE TABLE", "VIEW", "SYSTEM VERSIONED"). The `engine` of a view is empty."""

    kind: str
    engine: str
    columns: tuple[SourceColumn, ...]


def read_listed(connection: Connection[Any], place: SourceName) -> ListedTable:
    """The table as it is now. It must exist, and the account must be allowed to see it."""
    names = (place.database, place.table)
    columns = ([decode_text(value) for value in row] for row in query(connection, _COLUMNS, names))
    kind, engine = (decode_text(value) or "" for value in query(connection, _KIND, names)[0])
    return ListedTable(
        kind,
        engine,
        tuple(
            SourceColumn(
                str(name), read_listed_type(str(words), charset=charset, collation=collation), nullable == "YES"
            )
            for name, words, charset, collation, nullable in columns
        ),
    )


def read_unique_keys(connection: Connection[Any], place: SourceName) -> Mapping[str, tuple[str, ...]]:
    """The table's unique keys over whole columns, by index name."""
    found: dict[str, tuple[str, ...]] = {}
    partial: set[str] = set()
    for index, name, prefix in query(connection, _UNIQUE, (place.database, place.table)):
        key, column = str(decode_text(index)), decode_text(name)
        found[key] = (*found.get(key, ()), column or "")
        if column is None or prefix is not None:
            partial.add(key)
    return {key: columns for key, columns in found.items() if key not in partial}


def column_difference(
    table: TablePlan, listed: ListedTable, tolerated: Tolerance, collations: Mapping[str, str]
) -> str | None:
    """The first column that differs from the plan, in words; None when a run may follow the table's columns."""
    planned = _types(table.source.columns, collations)
    found = _types(listed.columns, collations)
    if tolerated.admits(tuple(planned.items()), tuple(found.items())):
        return None
    for name in planned:
        if name not in found:
            return f"column {name} is gone"
        if planned[name] != found[name]:
            return f"column {name} is {type_words(found[name])} at the source, {type_words(planned[name])} in the plan"
    extra = [name for name in found if name not in planned]
    return f"column {extra[0]} is new" if extra else "the columns are in another order"


def key_difference(table: TablePlan, unique: Mapping[str, tuple[str, ...]]) -> str | None:
    """In words, how the row key differs. None when one of the unique keys is the row key."""
    if table.identity.counts_rows:
        return None
    key = [column.source for column in table.source_key_columns]
    if any(sorted(key) == sorted(columns) for columns in unique.values()):
        return None
    keys = ", ".join(f"{name} ({', '.join(columns)})" for name, columns in sorted(unique.items()))
    return f"its row key ({', '.join(key)}) is no unique key at the source, which has {keys or 'none'}"


def null_difference(table: TablePlan, listed: ListedTable) -> str | None:
    """The first column that may hold NULL only at the source, in words."""
    may_be_null = {column.name for column in listed.columns if column.nullable}
    for column in table.source.columns:
        if column.name in may_be_null and not column.nullable:
            return f"column {column.name} may be NULL at the source, and is NOT NULL in the plan"
    return None


def full_type(kind: ColumnType, collations: Mapping[str, str]) -> ColumnType:
    """The type with its collation, also where only the character set is written, in the servers' present names.

    `collations` are the server's defaults (`default_collations`).
    """
    if not kind.charset:
        return kind
    collation = collation_of(kind.charset, kind.collation or "", collations)
    return replace(kind, charset=charset_word(kind.charset), collation=collation)


def _types(columns: Iterable[SourceColumn], collations: Mapping[str, str]) -> dict[str, ColumnType]:
    return {column.name: full_type(column.type, collations) for column in columns}
