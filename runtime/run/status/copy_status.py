"""How far is the copy, by table and by shard, how fast is it, and how long will it take?

Runs in the process of the command; reads the ledgers of all shards, and the source servers for estimates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.events.time_left import TimeLeft
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.ledger.chunks_done import CopiedOnShard, finishes, read_copied_on_shard
from shardwright.runtime.mysql.estimates import Estimate, estimate_sizes
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.progress.copy_rate import Rate, recent_rate, time_left
from shardwright.runtime.snapshot.chunks import read_known_chunks


@dataclass(frozen=True, slots=True)
class TableStatus:
    """The copy of one logical table."""

    table: str
    """The logical table."""
    chunks_done: int
    """Chunks that are written on every shard."""
    chunks_planned: int
    """Chunks in the ledger, the finished ones included."""
    rows_copied: int
    """Rows of the finished chunks."""
    tombstones: int | None
    """Remembered deletes on all shards together; None where they were not counted."""
    rows_expected: int | None
    """The source server's estimate; None once all is copied, or where the source cannot be asked."""
    bytes_expected: int | None
    """The source server's estimate of data and indexes; None as for `rows_expected`."""
    rows_per_second: float | None
    """The recent mean; None once all is copied, or where nothing was copied lately."""
    left: TimeLeft | None
    """Time for the rest of the table; None without an estimate or a rate."""


@dataclass(frozen=True, slots=True)
class CopyStatus:
    """The copy of all tables. `left` is the time for all of them; `shards` are by number."""

    tables: tuple[TableStatus, ...]
    left: TimeLeft | None
    shards: tuple[CopiedOnShard, ...]


def copy_status(plan: Plan, servers: Servers, control: Connection[Any], *, copying: bool) -> CopyStatus:
    """Reads how far the copy is. `control` is connected to the first shard. Estimates are asked for only while rows are
    copied."""
    shards: list[CopiedOnShard] = []
    tombstones = {table.logical: 0 for table in plan.in_chunks}
    for _, connection in servers.each_shard():
        shards.append(read_copied_on_shard(connection, plan.migration))
        for table in plan.in_chunks:
            sql = f"SELECT COUNT(*) FROM {quote(table.ours.tombstone)}"
            tombstones[table.logical] += int(query(connection, sql)[0][0])
    expected = _estimate(plan, servers) if copying else {}
    found = {table.logical: _count_copied(control, plan, table.logical) for table in plan.in_chunks}
    rates = {table.logical: _rate(plan, shards, table.logical) for table in plan.in_chunks}
    tables = []
    for logical, (done, planned, rows) in found.items():
        rate = rates[logical] if copying else None
        size = expected.get(logical)
        left = None if size is None else time_left(max(0, size.rows - rows), rate)
        tables.append(
            TableStatus(
                logical,
                chunks_done=done,
                chunks_planned=planned,
                rows_copied=rows,
                tombstones=tombstones[logical],
                rows_expected=None if size is None else max(size.rows, rows),
                bytes_expected=None if size is None else size.bytes,
                rows_per_second=None if rate is None else round(rate.mean, 1),
                left=left,
            )
        )
    return CopyStatus(tuple(tables), _all_left(plan, shards, expected, found), tuple(shards))


def _estimate(plan: Plan, servers: Servers) -> Mapping[str, Estimate]:
    """Empty where a source cannot be asked: what the ledgers say is still reported."""
    try:
        return estimate_sizes(plan, servers)
    except (RuntimeFailure, pymysql.err.MySQLError):
        return {}


def _count_copied(control: Connection[Any], plan: Plan, logical: str) -> tuple[int, int, int]:
    """Chunks done and planned, rows copied."""
    table = plan.table(logical)
    chunks = [item for source in table.sources for item in read_known_chunks(control, plan.migration, table, source)]
    done = [item for item in chunks if item.done]
    return len(done), len(chunks), sum(item.rows for item in done)


def _rate(plan: Plan, shards: list[CopiedOnShard], *logicals: str) -> Rate | None:
    """The rate of these tables together."""
    found = []
    for logical in logicals:
        found += finishes(shards, logical, broadcast=plan.table(logical).placement.has_copies)
    return recent_rate(found, 0.0)


def _all_left(
    plan: Plan,
    shards: list[CopiedOnShard],
    expected: Mapping[str, Estimate],
    found: Mapping[str, tuple[int, int, int]],
) -> TimeLeft | None:
    if not expected:
        return None
    rows = sum(max(0, expected[logical].rows - copied) for logical, (_, _, copied) in found.items())
    return time_left(rows, _rate(plan, shards, *found))
