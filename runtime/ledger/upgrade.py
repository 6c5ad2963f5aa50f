"""How a ledger that an earlier version wrote gets the present format: in place, by numbered steps.

Runs in the driver, when a run takes over; writes DDL to a shard's ledger tables.

A step adds what the format has more than the one before: columns with a default, so that the rows of the format before
stay right, and so that a run of the version before may end its last transaction meanwhile. DDL is no transaction:
what a killed upgrade has added is found, and the number is written last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.audit import WHO_COLUMNS
from shardwright.runtime.mysql.transactions import execute, query

_COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = %s"
_SET_FORMAT = "UPDATE `_shardwright_ledger` SET format = %s WHERE format = %s"


@dataclass(frozen=True, slots=True)
class NewColumn:
    """A column that a table of the ledger gets."""

    table: str
    name: str
    definition: str
    """Its type and default, as ADD COLUMN takes it."""


STEPS: Final[Mapping[int, Sequence[NewColumn]]] = {
    5: (
        NewColumn("_shardwright_control", "bytes_per_second", "BIGINT NULL"),
        *(NewColumn("_shardwright_audit", name, definition) for name, definition in WHO_COLUMNS.items()),
    ),
}
"""By format: what it has more than the format before."""
OLDEST: Final = min(STEPS) - 1
"""The oldest format that can be upgraded."""
FORMAT: Final = max(STEPS)
"""The format that this version writes."""


def upgrade(connection: Connection[Any], found: int) -> None:
    """Takes the ledger in the connection's database from format `found`, OLDEST or newer, to FORMAT."""
    for number in range(found + 1, FORMAT + 1):
        for column in STEPS[number]:
            names = {str(name) for (name,) in query(connection, _COLUMNS, (column.table,))}
            # A table that is not there, on the other shards for example, is made in its present form or not at all.
            if names and column.name not in names:
                added = f"ADD COLUMN {quoted(column.name)} {column.definition}"
                execute(connection, f"ALTER TABLE {quoted(column.table)} {added}")
                failpoint("after-ledger-column-added")
        failpoint("before-ledger-format-set")
        execute(connection, _SET_FORMAT, (number, number - 1))
