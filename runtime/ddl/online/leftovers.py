"""What did a killed tool leave on a shard? Tables beside the physical one, and triggers that still write into them.

Runs in the driver; reads one shard, and drops leftovers on request.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.ddl.shape.rewrite import MAX_NAME
from shardwright.compiler.sql.sql_text import identifier
from shardwright.runtime.mysql.rows_database import among_rows, rows_database

_PT_OSC_ENDS: Final = ("_new", "_old")
_PT_OSC_TRIES: Final = 10
"""pt-online-schema-change puts up to so many underscores before a name that is taken."""
_GH_OST_ENDS: Final = ("_gho", "_ghc", "_ghk", "_del")
TRIGGERS: Final = "pt_osc_"

_TRIGGERS = (
    "SELECT trigger_name FROM information_schema.triggers"
    " WHERE event_object_schema = %s AND event_object_table = %s ORDER BY trigger_name"
)
_TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = %s ORDER BY table_name"


@dataclass(frozen=True, slots=True)
class Leftovers:
    """What a tool left beside one physical table."""

    database: str
    table: str
    """The physical table."""
    triggers: tuple[str, ...]
    """Names of the tool's triggers on the physical table."""
    tables: tuple[str, ...]
    """Names of the tool's tables beside it."""

    def __bool__(self) -> bool:
        return bool(self.triggers or self.tables)

    def statements(self) -> Iterator[str]:
        """The statements that remove them. Writers wait from the first to the last, so that none meets a trigger whose
        table is gone. If a tool is still at work, the table that it would swap in is dropped together with the triggers
        that fill it."""
        locks = bool(self.triggers and self.tables)
        if locks:
            yield f"LOCK TABLES {', '.join(f'{_quote(name)} WRITE' for name in (self.table, *self.tables))}"
        yield from (f"DROP TRIGGER {_quote(name)}" for name in self.triggers)
        yield from (f"DROP TABLE {_quote(name)}" for name in self.tables)
        if locks:
            yield "UNLOCK TABLES"

    def __str__(self) -> str:
        names = [*(f"trigger {name}" for name in self.triggers), *(f"table {name}" for name in self.tables)]
        return f"{self.database}.{self.table}: {', '.join(names)}: {'; '.join(self.statements())}"


def names_of_tool_tables(table: str) -> frozenset[str]:
    """What the tools call their tables for a physical one, in lower case."""
    found = {("_" * count + table + end)[:MAX_NAME] for end in _PT_OSC_ENDS for count in range(1, _PT_OSC_TRIES + 1)}
    found |= {f"_{table[: MAX_NAME - 1 - len(end)]}{end}" for end in _GH_OST_ENDS}
    return frozenset(name.lower() for name in found)


def find_leftovers(connection: Connection[Any], database: str, table: str, *, ours: Collection[str]) -> Leftovers:
    """`ours`: the plan's physical tables, which are never leftovers."""
    beside = names_of_tool_tables(table) - {name.lower() for name in ours}
    tables = tuple(name for name in _names(connection, _TABLES) if name.lower() in beside)
    triggers = tuple(name for name in _names(connection, _TRIGGERS, table) if name.startswith(TRIGGERS))
    return Leftovers(database, table, triggers, tables)


def other_triggers(connection: Connection[Any], table: str) -> tuple[str, ...]:
    return tuple(name for name in _names(connection, _TRIGGERS, table) if not name.startswith(TRIGGERS))


def remove(connection: Connection[Any], found: Leftovers) -> None:
    """Raises the driver's error; the next search finds what is left then."""
    with among_rows(connection), connection.cursor() as cursor:
        try:
            for statement in found.statements():
                cursor.execute(statement)
        except pymysql.err.MySQLError:
            cursor.execute("UNLOCK TABLES")
            raise


def _names(connection: Connection[Any], sql: str, *table: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(sql, (rows_database(connection), *table))
        return [str(row[0]) for row in cursor.fetchall()]


def _quote(name: str) -> str:
    return identifier(name).sql("mysql")
