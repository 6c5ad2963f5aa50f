"""Where does the stream go on in each source, if the source's server is another one now?

Runs in the driver at the start of a run; reads sources, writes the moved positions to the first shard's ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.batches import MigrationState, move_sources, read_migration
from shardwright.runtime.ledger.chunks import high_positions, read_positions
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.recent_batches import earlier_places, read_recent
from shardwright.runtime.ledger.verified import void_verified
from shardwright.runtime.sources.binlog.obligation import must_repair
from shardwright.runtime.sources.binlog.position import LogPosition, Obligation
from shardwright.runtime.sources.binlog.rewind import EarlierPlace
from shardwright.runtime.sources.position import PositionPart, StreamPosition
from shardwright.runtime.sources.queue.offsets import QueueOffsets
from shardwright.runtime.sources.resumable import Resumable, sources_at
from shardwright.runtime.sources.source import Sources
from shardwright.specs.findings.remedies import START_OVER


@dataclass(frozen=True, slots=True)
class ResumedSources:
    """The sources at their present positions, and the decisions in words."""

    sources: Sources
    decisions: tuple[str, ...]


def resume_sources(context: RunContext, sources: Sources, *, without: Collection[str] = ()) -> ResumedSources:
    """Checks every source against the ledgers, and moves the recorded position to its place in the source's present
    log. No batch may be open. `without`: codes that an operator allows, to continue without what a new server lacks."""
    plan, control, migration = context.plan, context.control, context.migration
    state = read_migration(control, migration)
    assert state is not None
    decided: list[str] = []
    moved = state
    for source in sources:
        if isinstance(source, Resumable) and source.name in state.position.parts:
            moved = _resumed(source, moved, control, plan=plan, decided=decided, without=without)
    if moved != state or moved.position.to_text() != state.position.to_text():

        def record(connection: Connection[Any]) -> None:
            move_sources(connection, migration, moved)
            if decided:
                void_verified(connection, migration, why=f"the source has another server: {decided[0]}")
            for line in decided:
                audit(connection, migration, "source changed", detail=line)

        context.transaction(record)
    return ResumedSources(sources_at(sources, moved.position), tuple(decided))


def _resumed(
    source: Resumable,
    state: MigrationState,
    control: Connection[Any],
    *,
    plan: Plan,
    decided: list[str],
    without: Collection[str],
) -> MigrationState:
    name = source.name
    copied = _copied(state, control, migration=plan.migration, name=name) if state.copying else ()
    earlier: list[EarlierPlace] = []
    unfinished: int | None = None
    if state.snapshot_end is not None and not state.copying:
        recent = read_recent(control, plan.migration)
        earlier = earlier_places(plan, recent, source=name, copied=state.snapshot_end)
        unfinished = next((item.batch for item in recent if item.batch > state.batch), None)
    found = source.resumed(state.position.parts[name], copied, earlier, without=without)
    decided += (f"{name}: {line}" for line in found.decisions)
    position = found.position
    if found.decisions and unfinished is not None and isinstance(position, LogPosition):
        # The unfinished batch placed rows behind the recorded position. The new server may not have them.
        position = must_repair(position, batch=unfinished)
    if found.decisions:
        read = read_positions(control, plan.migration, [table.logical for table in plan.counted])
        require_none_read_ahead(read, name, state.position.parts[name])
        require_counted_once(plan, name, position)
    end = state.snapshot_end
    from_queue = end is not None and isinstance(end.parts.get(name), QueueOffsets)  # a log replaces the queue now
    if found.decisions and end is not None and (state.copying or from_queue) and found.copied_until is not None:
        end = end.advanced(StreamPosition({name: found.copied_until}))
    return replace(
        state,
        sources={**state.sources, name: source.identity()},
        position=state.position.advanced(StreamPosition({name: position})),
        snapshot_end=end,
    )


def require_counted_once(plan: Plan, name: str, position: PositionPart) -> None:
    """Rows without a key are counted, and a range of which part was applied would be counted twice. Raises Refused
    (SW8487)."""
    tables = ", ".join(table.logical for table in plan.counted)
    if tables and isinstance(position, LogPosition) and position.owed != Obligation():
        raise Refused(
            "SW8487",
            f"{name} has another server, whose log does not say which changes were applied. They would be applied "
            f"again, and rows of {tables} have no key: each would count twice. Go back to the old server, or "
            f"{START_OVER}",
        )


def require_none_read_ahead(read: Mapping[str, StreamPosition], name: str, part: PositionPart) -> None:
    """The stream, which is at `part` of the source `name`, passes over events of a table without a key up to where it
    was `read`. Another server's log does not say where that is. Raises Refused (SW8487)."""
    here = StreamPosition({name: part})
    found = {table: StreamPosition({name: at.parts[name]}) for table, at in read.items() if name in at.parts}
    if tables := sorted(table for table, at in found.items() if not here.reached(at)):
        raise Refused(
            "SW8487",
            f"{name} has another server, and the stream had not come to the place where rows of {', '.join(tables)} "
            "were read, which have no key: what is before that place would count twice. Go back to the old server, or "
            f"{START_OVER}",
        )


def _copied(state: MigrationState, control: Connection[Any], *, migration: str, name: str) -> tuple[PositionPart, ...]:
    """The farthest position up to which rows were copied from the source; empty when none were."""
    ends = high_positions(control, migration)
    if state.snapshot_end is not None:
        ends.append(state.snapshot_end)
    farthest: Any = None
    for end in ends:
        part = end.parts.get(name)
        if part is not None and (farthest is None or not farthest.reached(part)):
            farthest = part
    return () if farthest is None else (farthest,)
