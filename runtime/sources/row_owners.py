"""Which of two source tables owns a key, when the key comes from one of them while a shard has the other one's row (see
`steps.owners`).

Runs in the driver (apply) and in Spark tasks (snapshot); reads the source servers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import SourceName, TablePlan
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.keys import set_key, source_sql
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import query


@dataclass(frozen=True, slots=True)
class Meeting:
    """An ownership conflict. `holder` is the number of the source table that owns the row, `comer` that of the incoming
    one. `key` is canonical text."""

    holder: int
    comer: int
    key: tuple[str, ...]


def meetings(rows: Sequence[tuple[Any, ...]]) -> list[Meeting]:
    """The conflicts in the rows of the statements `meets` and `twins`."""
    return [Meeting(int(row[0]), int(row[1]), tuple(str(value) for value in row[2:])) for row in rows]


def comer_stays(servers: Servers, table: TablePlan, row_sql: str, *, found: Sequence[Meeting]) -> list[bool]:
    """For each conflict whether the incoming row wins (False: the current owner's row stays). `row_sql` reads one row
    of a source table by @sw_key_1, ... Raises Refused (SW6004) when the source holds a key in both tables now."""
    return [_comer_stays(servers, table, row_sql, meeting) for meeting in found]


def _comer_stays(servers: Servers, table: TablePlan, row_sql: str, meeting: Meeting) -> bool:
    sources = table.sources
    holder, comer = sources[meeting.holder], sources[meeting.comer]
    holding: dict[SourceName, bool] = {}
    # Two servers have no common moment: a row that has just moved from one to the other may be visible on both, or on
    # neither.
    for names, connection in servers.each_source((holder, comer)):
        query(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT")
        holding |= {name: _holds(connection, row_sql, name, meeting.key) for name in names}
        connection.rollback()
    holds, comes = holding[holder], holding[comer]
    if holds and comes:
        key = ", ".join(meeting.key)
        raise Refused(
            "SW6004",
            f"table {table.logical}: key ({key}) stands in both {holder} and {comer}; nothing was overwritten: delete "
            "one of the two rows at the source, then run again",
        )
    return not holds


def _holds(connection: Connection[Any], row_sql: str, name: SourceName, key: tuple[str, ...]) -> bool:
    set_key(connection, "sw_key", key)
    return bool(query(connection, source_sql(row_sql, name)))
