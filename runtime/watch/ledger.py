"""What do the ledgers of a migration say: that of the first shard about the cutover, and that of the direction in force
about everything else?

Runs in the process of the command; reads the first shard, and on the way back the first ledger beside the source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.ledger.audit import AuditLine, account_of_run, last_lines
from shardwright.runtime.ledger.batches import MigrationState, OpenBatch, read_migration, read_open_batch
from shardwright.runtime.ledger.buckets import count_buckets
from shardwright.runtime.ledger.comparison import Verification, read_verified
from shardwright.runtime.ledger.conflicts import count_conflicts
from shardwright.runtime.ledger.cutover import find_live_directions, first_of
from shardwright.runtime.ledger.cutover_state import CutoverState, read_cutover, unix_now
from shardwright.runtime.ledger.dead_letters import DeadLetterCount, count_dead_letters
from shardwright.runtime.ledger.fencing import find_run, holder
from shardwright.runtime.ledger.left_out import LeftOutCount, count_left_out
from shardwright.runtime.ledger.members import Member, read_members
from shardwright.runtime.ledger.orders import Order, read_order
from shardwright.runtime.ledger.tables import require_format
from shardwright.runtime.mysql.transactions import if_there
from shardwright.runtime.watch.observation import CutoverObserved, RunObserved
from shardwright.specs.direction import Direction

_AUDIT_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class Home:
    """The first shard's answer. `directions` are those in which changes go; none once the migration is finished."""

    directions: frozenset[Direction]
    cutover: CutoverObserved

    @property
    def direction(self) -> Direction | None:
        return first_of(self.directions)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The answer of the first ledger of a direction."""

    state: MigrationState
    open_batch: OpenBatch | None
    members: Mapping[str, Member]
    """By database."""
    dead_letters: tuple[DeadLetterCount, ...]
    left_out: LeftOutCount
    order: Order
    audit: tuple[AuditLine, ...]
    verified: Verification | None
    run: RunObserved | None


def read_home(connection: Connection[Any], migration: str) -> Home:
    """`connection` is to the first shard. Raises Refused (SW8211) for a ledger of another format."""
    require_format(connection)
    directions = find_live_directions(connection, migration)
    cutover = _cutover(read_cutover(connection, migration), now=unix_now(connection))
    both = replace(
        cutover,
        buckets=count_buckets(connection, migration),
        conflicts=count_conflicts(connection, migration),
    )
    return Home(directions, both)


def read_ledger(connection: Connection[Any], migration: str) -> Ledger | None:
    """None where the migration has not begun."""
    state = if_there(lambda: read_migration(connection, migration))
    if state is None:
        return None
    epoch, owner = holder(connection, role="data")
    is_live = find_run(connection, role="data", account=account_of_run(connection, migration))
    return Ledger(
        state=state,
        open_batch=read_open_batch(connection, migration),
        members=read_members(connection, migration),
        dead_letters=count_dead_letters(connection, migration),
        left_out=count_left_out(connection, migration),
        order=read_order(connection, migration),
        audit=last_lines(connection, migration, _AUDIT_LINES),
        verified=read_verified(connection, migration),
        run=RunObserved(epoch, owner, is_live) if epoch else None,
    )


def _cutover(state: CutoverState, *, now: float) -> CutoverObserved:
    detail = state.detail
    is_paused = state.is_fenced and state.state not in ("switched", "finishing", "finished")
    return CutoverObserved(
        state=state.state,
        seconds=state.seconds,
        writes_to=state.writes_to,
        generation=state.generation,
        to=None if state.at_rest else detail.to,
        rehearsal=detail.rehearsal and not state.at_rest,
        pause_seconds=max(0.0, now - detail.fenced_at) if is_paused and detail.fenced_at is not None else None,
        last_pause_seconds=detail.pause,
        given_up=detail.given_up,
    )
