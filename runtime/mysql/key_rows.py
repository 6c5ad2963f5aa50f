"""Keys as literals of a statement, and rows asked of a server by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.sql.transport import one_spelling, pads_spaces

_KEYS_AT_ONCE = 2_000


def rows_by_key(
    connection: Connection[Any], sql: str, kinds: Sequence[ColumnType], *, keys: Sequence[tuple[str, ...]]
) -> dict[tuple[str, ...], tuple[Any, ...]]:
    """What a look-up statement answers for `keys`, some thousands at a time: key as the server compares it -> the columns
    after the key's. `kinds` are the types of the key's columns."""
    found: dict[tuple[str, ...], tuple[Any, ...]] = {}
    with connection.cursor() as cursor:
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            listed = key_list(connection, kinds, keys[start : start + _KEYS_AT_ONCE])
            cursor.execute(sql.replace("`${keys}`", listed))
            for row in cursor.fetchall():
                key = tuple(key_text(value, kind) for value, kind in zip(row, kinds, strict=False))
                found[key] = tuple(row[len(kinds) :])
    return found


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
    """A key's value as the plan's Spark SQL has it: see `key_identity`."""
    text = str(value)
    return text.rstrip(" ") if kind.is_text and one_spelling(kind) and pads_spaces(kind) else text
