"""How keys are written in statements: the literals that bound chunks, the source table's name, and look-ups of rows by
their keys.

Used in the driver and in Spark tasks; reads only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sql.transport import drops_spaces
from shardwright.runtime.mysql.transactions import set_variables

Key = tuple[str, ...]


def source_sql(sql: str, source: SourceName) -> str:
    """Replace the plan's placeholders by the source table's name. They are inside quoted identifiers, and inside texts
    of names that hold nothing to quote (SW2067)."""
    database, table = (part.replace("`", "``") for part in (source.database, source.table))
    return sql.replace("${source_database}", database).replace("${source_table}", table)


def set_key(connection: Connection[Any], name: str, key: Sequence[str] | None) -> None:
    if key is not None:
        set_variables(connection, **{f"{name}_{index}": value for index, value in enumerate(key, start=1)})


_KEYS_AT_ONCE = 2_000


def rows_by_key(
    connection: Connection[Any], sql: str, kinds: Sequence[ColumnType], *, keys: Sequence[tuple[str, ...]]
) -> dict[tuple[str, ...], tuple[Any, ...]]:
    """The result of a look-up statement for `keys`, some thousands at a time: key as the server compares it -> the
    columns after the key's. `kinds` are the types of the key's columns."""
    return dict(each_row_by_key(connection, sql, kinds, keys=keys))


def each_row_by_key(
    connection: Connection[Any], sql: str, kinds: Sequence[ColumnType], *, keys: Sequence[tuple[str, ...]]
) -> Iterator[tuple[tuple[str, ...], tuple[Any, ...]]]:
    """The same where a key may have several rows. Those of one key are in the order of the statement."""
    with connection.cursor() as cursor:
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            cursor.execute(with_keys(sql, connection, kinds, keys[start : start + _KEYS_AT_ONCE]))
            for row in cursor.fetchall():
                key = tuple(key_text(value, kind) for value, kind in zip(row, kinds, strict=False))
                yield key, tuple(row[len(kinds) :])


def with_keys(
    sql: str, connection: Connection[Any], kinds: Sequence[ColumnType], keys: Sequence[tuple[str, ...]]
) -> str:
    """The statement with its placeholder `${keys}` replaced by these keys."""
    return sql.replace("`${keys}`", key_list(connection, kinds, keys))


def key_list(connection: Connection[Any], kinds: Sequence[ColumnType], keys: Sequence[tuple[str, ...]]) -> str:
    """Keys as the literals of an IN list."""
    return ", ".join(
        "(" + ", ".join(_literal(connection, value, kind) for value, kind in zip(key, kinds, strict=True)) + ")"
        for key in keys
    )


def _literal(connection: Connection[Any], value: str, kind: ColumnType) -> str:
    if kind.name == "bit":
        return str(int(value, 16))
    if kind.is_bytes:
        return f"X'{value}'"
    if kind.is_integer:
        return str(int(value))
    return str(connection.escape(value))


def key_text(value: Any, kind: ColumnType) -> str:
    """A key's value in the form of the plan's Spark SQL (see `key_identity`)."""
    text = str(value)
    return text.rstrip(" ") if drops_spaces(kind) else text
