"""Where a migration stands, read from the ledgers and the source. Reads only; works while a run is under way."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan import Plan
from shardwright.runtime.binlog.connection import log_head
from shardwright.runtime.connections import Servers
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import read_migration, read_open_batch
from shardwright.runtime.snapshot.chunks import known_chunks
from shardwright.runtime.stream.log_address import log_connection
from shardwright.runtime.transactions import query

_NO_SUCH_TABLE = 1146


@dataclass(frozen=True, slots=True)
class TableStatus:
    table: str
    chunks_done: int
    chunks_planned: int
    rows_copied: int
    tombstones: int


@dataclass(frozen=True, slots=True)
class Status:
    """`caught_up`: the stream stands where the source's log ended when it was asked. `lag_bytes` is None across files.
    `idle_seconds` counts from the last event of ours that was applied."""

    migration: str
    fingerprint: str
    snapshot_complete: bool
    caught_up: bool
    position: str
    source_position: str
    lag_bytes: int | None
    last_event_seconds_ago: float | None
    batch: int
    open_batch: str | None
    tables: tuple[TableStatus, ...]


def read_status(plan: Plan, servers: Servers) -> Status:
    """Raises Refused (SW8206) when the migration has not begun."""
    control = servers.connect_shard(0)
    try:
        head = log_head(log_connection(servers.source))
        state = _state(control, plan)
        opened = read_open_batch(control, plan.migration)
        tombstones = _tombstones(plan, servers)
        tables = tuple(_table(control, plan, name, tombstones[name]) for name in (t.logical for t in plan.tables))
    finally:
        control.close()
    same_file = state.position.file == head.file
    return Status(
        migration=plan.migration,
        fingerprint=state.fingerprint,
        snapshot_complete=state.snapshot_end is not None,
        caught_up=opened is None and state.snapshot_end is not None and state.position >= head,
        position=str(state.position),
        source_position=str(head),
        lag_bytes=head.offset - state.position.offset if same_file else None,
        last_event_seconds_ago=round(time.time() - state.committed_at, 1) if state.committed_at else None,
        batch=state.batch,
        open_batch=f"{opened.batch} ({opened.state}): {opened.start} to {opened.end}" if opened else None,
        tables=tables,
    )


def _state(control: Connection[Any], plan: Plan) -> Any:
    try:
        state = read_migration(control, plan.migration)
    except pymysql.err.ProgrammingError as error:
        if error.args[0] != _NO_SUCH_TABLE:
            raise
        state = None
    if state is None:
        raise Refused("SW8206", f"migration {plan.migration} has not begun here: `shardwright run` begins it")
    return state


def _table(control: Connection[Any], plan: Plan, logical: str, tombstones: int) -> TableStatus:
    table = plan.table(logical)
    chunks = [item for source in table.sources for item in known_chunks(control, plan.migration, table, source)]
    done = [item for item in chunks if item.done]
    return TableStatus(logical, len(done), len(chunks), sum(item.rows for item in done), tombstones)


def _tombstones(plan: Plan, servers: Servers) -> dict[str, int]:
    counts = {table.logical: 0 for table in plan.tables}
    for _, connection in servers.each_shard():
        for table in plan.tables:
            counts[table.logical] += int(query(connection, f"SELECT COUNT(*) FROM `{table.tombstone_table}`")[0][0])
    return counts
