"""Which of two source tables owns a key, when the key comes from one of them while a shard has the other one's row (see
`steps.owners`).

Runs in the driver (apply) and in Spark tasks (snapshot); reads the source servers.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.keys import set_key, source_sql
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.binlog.read_locks import ReadLocks
from shardwright.runtime.sources.binlog.visible import snapshot_of_log

_PATIENCE: Final = 5.0
"""Seconds in which a row that goes from one source table to another must have left the first one."""
_BETWEEN: Final = 0.25
"""Seconds between two questions."""


@dataclass(frozen=True, slots=True)
class OwnerConflict:
    """An ownership conflict. `owner` is the number of the source table that owns the row, `incoming` that of the
    incoming one. `key` is canonical text."""

    owner: int
    incoming: int
    key: tuple[str, ...]


def owner_conflicts(rows: Sequence[tuple[Any, ...]]) -> list[OwnerConflict]:
    """The conflicts in the rows of the statements `owner_conflicts` and `batch_conflicts`."""
    return [OwnerConflict(int(row[0]), int(row[1]), tuple(str(value) for value in row[2:])) for row in rows]


def incoming_wins(servers: Servers, table: TablePlan, row_sql: str, *, found: Sequence[OwnerConflict]) -> list[bool]:
    """For each conflict whether the incoming row wins (False: the current owner's row stays). `row_sql` reads one row
    of a source table by @sw_key_1, ... A key that both tables have is asked for again for some seconds: an application
    may be between INSERT and DELETE. Raises Refused (SW6004) when both still have it."""
    until = time.monotonic() + _PATIENCE
    return [_incoming_wins(servers, table, row_sql, conflict, until=until) for conflict in found]


def _incoming_wins(servers: Servers, table: TablePlan, row_sql: str, conflict: OwnerConflict, *, until: float) -> bool:
    sources = table.sources
    owner, incoming = sources[conflict.owner], sources[conflict.incoming]
    while (holding := _look_up_holders(servers, row_sql, (owner, incoming), conflict.key)) and all(holding.values()):
        if time.monotonic() > until:
            key = ", ".join(conflict.key)
            raise Refused(
                "SW6004",
                f"table {table.logical}: key ({key}) is in both {owner} and {incoming}; nothing was overwritten: "
                "delete one of the two rows at the source, then run again",
            )
        time.sleep(_BETWEEN)
    return not holding[owner]


def _look_up_holders(
    servers: Servers, row_sql: str, both: tuple[SourceName, SourceName], key: tuple[str, ...]
) -> Mapping[SourceName, bool]:
    """Whether each of two source tables has the key now."""
    holding: dict[SourceName, bool] = {}
    # Two servers have no common moment: a row that has just moved from one to the other may be visible on both, or on
    # neither.
    for names, connection in servers.each_source(both):
        locks = ReadLocks(servers.source_of(names[0].database), sorted(map(str, names)))
        with snapshot_of_log(connection, locks):  # as new as the events that brought the question up
            holding |= {name: _holds(connection, row_sql, name, key) for name in names}
    return holding


def _holds(connection: Connection[Any], row_sql: str, name: SourceName, key: tuple[str, ...]) -> bool:
    set_key(connection, "sw_key", key)
    return bool(query(connection, source_sql(row_sql, name)))
