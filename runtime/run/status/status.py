"""How far is a migration? The answer comes from the ledgers and the sources.

Runs in the process of the command, also while a run is under way. Reads only.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ddl.tables.deferred_indexes import IndexStatus, index_status
from shardwright.runtime.events.time_left import TimeLeft
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.ledger.audit import AuditLine, last_lines
from shardwright.runtime.ledger.batches import MigrationState, read_migration, read_open_batch
from shardwright.runtime.ledger.comparison import Verification, read_verified
from shardwright.runtime.ledger.ddl_lock import find_blocking_ddl
from shardwright.runtime.ledger.dead_letters import count_quarantined
from shardwright.runtime.ledger.fencing import is_alive
from shardwright.runtime.ledger.left_out import NONE, LeftOutCount, count_left_out
from shardwright.runtime.ledger.members import read_members, read_shard_ledger
from shardwright.runtime.ledger.orders import Order, read_order
from shardwright.runtime.ledger.tables import require_format
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import if_there
from shardwright.runtime.run.status.copy_status import CopyStatus, TableStatus, copy_status
from shardwright.runtime.run.throttle.replica_lag import ReplicaState, replica_states
from shardwright.runtime.run.throttle.throttle import throttle_settings
from shardwright.runtime.sources.open import open_sources
from shardwright.runtime.sources.positions.part import PositionPart
from shardwright.runtime.sources.source import StreamSource, sources_at
from shardwright.specs.direction import Direction
from shardwright.specs.environment.environment import Environment

NOT_BEGUN = "SW8206"

_AUDIT_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """One log or queue, and how far the stream is in it."""

    source: str
    """The source's name in the plan."""
    first: str
    """The position at which the migration began."""
    last: str
    """The last position that every shard has."""
    head: str | None
    """The end of the log or queue, when it was asked; None where it could not be asked."""
    lag_bytes: int | None
    """Bytes from `last` to `head`; None where they cannot be known, such as across log files."""
    lag_seconds: float | None
    """Age of the newest applied event of ours, 0 at the end; None when no event was applied yet."""
    problem: str | None = None
    """Why the source could not be asked."""


@dataclass(frozen=True, slots=True)
class ShardStatus:
    """How far the stream and the copy are on one shard.

    A shard that owes nothing has all of `last`.
    """

    shard: str
    """The target database."""
    batch: int
    """The last batch with work for the shard."""
    last: str | None
    """The position up to which it has everything; None where the shard's ledger does not know the migration."""
    chunks: int
    """How many it has."""
    rows_copied: int
    """What chunks brought."""
    lacks: int | None = None
    """The last batch that it should have by the first shard's ledger, and does not have by its own: it was restored
    from a backup."""


@dataclass(frozen=True, slots=True)
class Status:
    """The whole answer of `status`."""

    migration: str
    """The migration's name."""
    fingerprint: str
    """The fingerprint of the plan that the migration runs with."""
    snapshot_complete: bool
    """Whether all rows are copied, and the stream has passed the high watermark. A cutover and the record of a `verify`
    need both."""
    caught_up: bool
    """Whether the stream was at the end of every source when they were asked."""
    position: str
    """The stream's position, of all sources, as text."""
    batch: int
    """The last closed batch."""
    open_batch: str | None
    """Number, state and range of the open batch; None when none is open."""
    sources: tuple[SourceStatus, ...]
    """The logs and queues that the stream reads."""
    shards: tuple[ShardStatus, ...]
    """The target databases, in the plan's order."""
    tables: tuple[TableStatus, ...]
    """The copy, by logical table."""
    direction: Direction = Direction.FORWARD
    """Which way changes go: to the shards, or back."""
    rows_held: int = 0
    """Rows in quarantine that wait for an answer."""
    left_out: LeftOutCount = NONE
    """What the stream has left out as our own."""
    replicas: tuple[ReplicaState, ...] = ()
    """The replicas that writing waits for (`throttle`), asked now."""
    left: TimeLeft | None = None
    """The time for the whole copy; None when it is not known."""
    indexes: tuple[IndexStatus, ...] = ()
    """Tables with indexes that are not built yet."""
    waiting: tuple[str, ...] = ()
    """DDL that blocks writes to a table now, so that the stream waits: by whom, and which table."""
    audit: tuple[AuditLine, ...] = ()
    """The last lines of the audit, the oldest first."""
    order: Order = field(default_factory=Order)
    """An operator's order (`control`)."""
    live: bool = False
    """Whether a run is connected to the first shard."""
    verified: Verification | None = None
    """The last whole comparison that found both sides equal. It counts for a cutover while `void` is empty."""


def read_status(plan: Plan, servers: Servers, environment: Environment) -> Status:
    """Reads the whole status. Raises Refused (SW8206) when the migration has not begun, and SW8211 for a ledger of
    another format."""
    control = servers.connect_shard(0)
    try:
        require_format(control)
        begun = _state(control, plan)
        sources = sources_at(open_sources(plan, servers, environment), begun.position)
        heads = {source.name: _head(source) for source in sources}
        state = _state(control, plan)
        opened = read_open_batch(control, plan.migration)
        held = count_quarantined(control, plan.migration)
        left_out = count_left_out(control, plan.migration)
        order = read_order(control, plan.migration)
        audit = last_lines(control, plan.migration, _AUDIT_LINES)
        live, verified = is_alive(control, role="data"), read_verified(control, plan.migration)
        copied = copy_status(plan, servers, control, copying=state.snapshot_end is None)
        shards = _shards(control, plan, servers, state=state, copied=copied)
    finally:
        control.close()
    described = tuple(_source(name, state, head) for name, head in heads.items())
    return Status(
        migration=plan.migration,
        fingerprint=state.fingerprint,
        snapshot_complete=not state.is_copying(sources),
        caught_up=opened is None and state.snapshot_end is not None and all(item.lag_bytes == 0 for item in described),
        position=str(state.position),
        batch=state.batch,
        open_batch=f"{opened.batch} ({opened.state}): {opened.start} to {opened.end}" if opened else None,
        sources=described,
        shards=shards,
        tables=copied.tables,
        direction=plan.direction,
        left=copied.left,
        rows_held=held,
        left_out=left_out,
        waiting=tuple(map(str, find_blocking_ddl(servers, plan.migration))),
        order=order,
        audit=audit,
        indexes=index_status(plan, servers),
        replicas=tuple(replica_states(environment, throttle_settings(environment, plan), os.environ)),
        live=live,
        verified=verified,
    )


def _head(source: StreamSource) -> PositionPart | RuntimeFailure:
    """The end of a source, or why it cannot be known: the other sources are reported all the same."""
    try:
        return source.end()
    except RuntimeFailure as failure:
        return failure


def _shards(
    control: Connection[Any], plan: Plan, servers: Servers, *, state: MigrationState, copied: CopyStatus
) -> tuple[ShardStatus, ...]:
    members = read_members(control, plan.migration)
    found: list[ShardStatus] = []
    for shard, connection in servers.each_shard():
        ledger = read_shard_ledger(connection, servers.databases[shard], plan.migration)
        owed = members[ledger.database].batch if ledger.database in members else 0
        last = state.position if ledger.batch == owed else ledger.position
        chunks = copied.shards[shard]
        rows = sum(chunks.rows.values())
        position = None if last is None else str(last)
        called = servers.targets[shard] if plan.direction.writes_shards else ledger.database
        lacks = owed if ledger.batch is not None and ledger.batch < owed else None
        found.append(ShardStatus(called, ledger.batch or 0, position, chunks.chunks, rows, lacks))
    return tuple(found)


def _source(name: str, state: MigrationState, end: PositionPart | RuntimeFailure) -> SourceStatus:
    last, first = state.position.parts[name], str(state.start.parts[name])
    committed_at = state.committed_at.get(name)
    seconds = None if committed_at is None else round(time.time() - committed_at, 1)
    if isinstance(end, RuntimeFailure):
        return SourceStatus(name, first, str(last), None, None, seconds, f"{end.code}: {end.message}")
    at_end = last.has_reached(end)
    size = 0 if at_end else last.bytes_before(end)
    return SourceStatus(name, first, str(last), str(end), size, 0.0 if at_end else seconds)


def _state(control: Connection[Any], plan: Plan) -> MigrationState:
    state = if_there(lambda: read_migration(control, plan.migration))
    if state is None:
        raise Refused(NOT_BEGUN, f"migration {plan.migration} has not begun here: `shardwright run` begins it")
    return state
