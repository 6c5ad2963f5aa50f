"""What is the live definition of a physical table, as the server describes it, and where do two of them differ?

Runs in the driver; reads one server.

Both sides come from the same server, so its own words can be compared as they are. Only what says nothing about the
table's meaning is left out: the order of columns and of indexes, statistics, the suffix in the names of checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.mysql.errors import UNKNOWN_SYSTEM_VARIABLE
from shardwright.runtime.mysql.rows_database import rows_database
from shardwright.runtime.mysql.transactions import decode_text

_TABLE = (
    "SELECT engine, table_collation FROM information_schema.tables"
    " WHERE table_schema = %s AND table_name = %s AND table_type = 'BASE TABLE'"
)
_COLUMNS = (
    "SELECT column_name, column_type, is_nullable, column_default, extra, character_set_name, collation_name,"
    " generation_expression, column_comment"
    " FROM information_schema.columns WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position"
)
_INDEXES = (
    "SELECT index_name, non_unique, index_type, column_name, sub_part, collation"
    " FROM information_schema.statistics WHERE table_schema = %s AND table_name = %s"
    " ORDER BY index_name, seq_in_index"
)
_TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = %s"
_CHECKS = (
    "SELECT constraint_name FROM information_schema.table_constraints"
    " WHERE table_schema = %s AND table_name = %s AND constraint_type = 'CHECK'"
)
_COLLATIONS = "SELECT character_set_name, default_collate_name FROM information_schema.character_sets"


@dataclass(frozen=True, slots=True)
class LiveIndex:
    unique: bool
    type: str
    parts: tuple[tuple[str, int | None, str | None], ...]
    """Column ('' for an expression), prefix length, direction (A or D)."""

    def __str__(self) -> str:
        columns = ", ".join(
            f"{name or '(expression)'}{f'({length})' if length else ''}{' DESC' if direction == 'D' else ''}"
            for name, length, direction in self.parts
        )
        return f"{'unique ' if self.unique else ''}{self.type} ({columns})"


@dataclass(frozen=True, slots=True)
class LiveTable:
    """Keys of the mappings are names in lower case."""

    engine: str
    collation: str
    columns: Mapping[str, str]
    indexes: Mapping[str, LiveIndex]
    checks: frozenset[str]


def table_names(connection: Connection[Any]) -> frozenset[str]:
    """The tables and views of the database that has the rows, in lower case."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES, (rows_database(connection),))
        return frozenset(str(row[0]).lower() for row in cursor.fetchall())


def default_collations(connection: Connection[Any]) -> Mapping[str, str]:
    """Character set -> the collation it has where none is named. On MariaDB operators can choose them."""
    with connection.cursor() as cursor:
        cursor.execute(_COLLATIONS)
        found = {str(decode_text(charset)): str(decode_text(collation)) for charset, collation in cursor.fetchall()}
        try:
            cursor.execute("SELECT @@character_set_collations")
            row = cursor.fetchone()
        except pymysql.err.MySQLError as error:
            if error.args[0] != UNKNOWN_SYSTEM_VARIABLE:
                raise
            return found
    pairs = (pair.split("=", 1) for pair in str(row[0] if row else "").split(",") if "=" in pair)
    return found | {charset.strip(): collation.strip() for charset, collation in pairs}


def read_table(connection: Connection[Any], table: str, *, suffix: str = "") -> LiveTable | None:
    """The definition of `table` in the database that has the rows; None when there is no such table. `suffix` is
    removed from the names of its checks."""
    place = (rows_database(connection), table)
    with connection.cursor() as cursor:
        cursor.execute(_TABLE, place)
        found = cursor.fetchone()
        if found is None:
            return None
        cursor.execute(_COLUMNS, place)
        columns = {str(row[0]).lower(): _column_words(row[1:]) for row in cursor.fetchall()}
        cursor.execute(_INDEXES, place)
        indexes = _indexes(cursor.fetchall())
        cursor.execute(_CHECKS, place)
        # MySQL calls a check without a name after its table: orders_07_chk_1.
        names = (str(row[0]).lower().removeprefix(table.lower()) for row in cursor.fetchall())
        checks = frozenset(name.removesuffix(suffix.lower()) for name in names)
    return LiveTable(str(found[0]), str(found[1]), columns, indexes, checks)


def _column_words(row: tuple[Any, ...]) -> str:
    kind, nullable, default, extra, charset, collation, generated, comment = (decode_text(value) for value in row)
    words = [str(kind), "NULL" if nullable == "YES" else "NOT NULL"]
    words += [f"DEFAULT {default}"] if default is not None else []
    words += [f"CHARACTER SET {charset} COLLATE {collation}"] if charset else []
    words += [f"AS ({generated})"] if generated else []
    words += [str(extra)] if extra else []
    words += [f"COMMENT {comment!r}"] if comment else []
    return " ".join(words)


def _indexes(rows: tuple[tuple[Any, ...], ...]) -> dict[str, LiveIndex]:
    found: dict[str, LiveIndex] = {}
    for name, non_unique, kind, column, length, direction in rows:
        key = str(name).lower()
        before = found[key].parts if key in found else ()
        part = (str(column or "").lower(), None if length is None else int(length), direction)
        found[key] = LiveIndex(not int(non_unique), str(kind), (*before, part))
    return found


def differences(expected: LiveTable, found: LiveTable) -> tuple[str, ...]:
    """How `found` differs from `expected`, in words, each naming the column or index."""
    said: list[str] = []
    if expected.engine != found.engine:
        said.append(f"its engine is {found.engine}, should be {expected.engine}")
    if expected.collation != found.collation:
        said.append(f"its collation is {found.collation}, should be {expected.collation}")
    said += _compare("column", expected.columns, found.columns)
    said += _compare("index", expected.indexes, found.indexes)
    said += [f"check '{name}' is missing" for name in sorted(expected.checks - found.checks)]
    said += [f"check '{name}' is too much" for name in sorted(found.checks - expected.checks)]
    return tuple(said)


def _compare(what: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    said = [f"{what} '{name}' is missing" for name in expected if name not in found]
    said += [f"{what} '{name}' is too much" for name in found if name not in expected]
    for name in expected:
        if name in found and expected[name] != found[name]:
            said.append(f"{what} '{name}' is {found[name]}, should be {expected[name]}")
    return said
