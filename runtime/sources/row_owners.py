"""A key that comes from one source table while another one's row stands: who of the two holds it (see `steps.owners`)."""

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
    """`holder` and `comer` are numbers of source tables; `key` is canonical text."""

    holder: int
    comer: int
    key: tuple[str, ...]


def meetings(rows: Sequence[tuple[Any, ...]]) -> list[Meeting]:
    """From the rows of the statements `meets` and `twins`."""
    return [Meeting(int(row[0]), int(row[1]), tuple(str(value) for value in row[2:])) for row in rows]


def comer_stays(servers: Servers, table: TablePlan, row_sql: str, *, found: Sequence[Meeting]) -> list[bool]:
    """For each meeting whether the comer's row is the one that stands (False: the holder's). `row_sql` reads one row of
    a source table by @sw_key_1, ... Raises Refused (SW6004) when the source holds a key in both tables now."""
    return [_comer_stays(servers, table, row_sql, meeting) for meeting in found]


def _comer_stays(servers: Servers, table: TablePlan, row_sql: str, meeting: Meeting) -> bool:
    sources = table.sources
    holder, comer = sources[meeting.holder], sources[meeting.comer]
    holding: dict[SourceName, bool] = {}
    # Two servers have no common moment: a row that went from one to the other just now may be seen on both, or on neither.
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
