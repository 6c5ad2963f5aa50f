"""How far has each DDL change come, by the records on the shards?

Runs in the driver; reads every shard.
"""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.compiler.plan.plan import DdlChange, Plan
from shardwright.runtime.ddl.session import Connect
from shardwright.runtime.ledger.ddl_record import ChangeRecord, Place, read_record


@dataclass(frozen=True, slots=True)
class DdlStatus:
    """One change."""

    file: str
    """The change's DDL file."""
    ordinal: int
    """Number of the statement in its file."""
    logical: str
    """The logical table that it changes."""
    done: int
    """How many physical tables have it."""
    total: int
    """How many physical tables must get it."""
    missing: tuple[str, ...]
    """Physical tables without it, as `database.table`."""
    started: tuple[str, ...]
    """Those of `missing` where a run stopped within the change."""


def ddl_status(plan: Plan, *, connect: Connect) -> tuple[DdlStatus, ...]:
    """In the order the changes are applied. Reads only."""
    records: dict[str, dict[Place, ChangeRecord]] = {}
    for database in plan.databases:
        connection = connect(database)
        try:
            records[database] = read_record(connection, plan.migration)
        finally:
            connection.close()
    return tuple(_status(plan, change, records) for change in plan.ddl)


def _status(plan: Plan, change: DdlChange, records: dict[str, dict[Place, ChangeRecord]]) -> DdlStatus:
    missing: list[str] = []
    started: list[str] = []
    total = 0
    for shard, _, table in plan.places_of(change):
        total += 1
        database = plan.databases[shard]
        recorded = records[database].get((change.file, change.ordinal, table))
        if recorded is None:
            missing.append(f"{database}.{table}")
        elif recorded.state != "done":
            missing.append(f"{database}.{table}")
            started.append(f"{database}.{table}")
    return DdlStatus(
        change.file, change.ordinal, change.logical, total - len(missing), total, tuple(missing), tuple(started)
    )
