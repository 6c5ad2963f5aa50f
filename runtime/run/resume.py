"""Where does the stream go on in each source, if the source's server is another one now?

Runs in the driver at the start of a run; reads sources, writes the moved positions to the first shard's ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.batches import MigrationState, move_sources, read_migration
from shardwright.runtime.ledger.chunks import high_positions, read_positions
from shardwright.runtime.ledger.comparison import void_verified
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.cutover import BOTH_WAYS, live_directions
from shardwright.runtime.ledger.recent_batches import earlier_places, read_recent
from shardwright.runtime.sources.binlog.source import LogStream, log_streams
from shardwright.runtime.sources.positions.earlier_place import EarlierPlace
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.obligation import Obligation
from shardwright.runtime.sources.positions.part import PositionPart
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources, sources_at
from shardwright.specs.findings.remedies import START_OVER


@dataclass(frozen=True, slots=True)
class ResumedSources:
    """The sources at their present positions, and the decisions in words."""

    sources: Sources
    decisions: tuple[str, ...]


def resume_sources(context: RunContext, sources: Sources, *, without: Collection[str] = ()) -> ResumedSources:
    """Checks every source against the ledgers, and moves the recorded position to its place in the source's present
    log. No batch may be open. `without`: codes that an operator allows, to continue without what a new server lacks."""
    migration = context.migration
    state = read_migration(context.control, migration)
    assert state is not None
    resuming = _Resuming(context, sources, without)
    moved = state
    for log in log_streams(sources):
        if log.name in state.position.parts:
            moved = resuming.move(moved, log)
    decided = resuming.decided
    if moved != state or moved.position.to_text() != state.position.to_text():

        def record(connection: Connection[Any]) -> None:
            move_sources(connection, migration, moved)
            if decided:
                void_verified(connection, migration, why=f"the source has another server: {decided[0]}")
            for line in decided:
                audit(connection, migration, "source changed", detail=line)

        context.transaction(record)
    return ResumedSources(sources_at(sources, moved.position), tuple(decided))


@dataclass
class _Resuming:
    """Moves what is recorded, log by log."""

    context: RunContext
    sources: Sources
    without: Collection[str]
    decided: list[str] = field(default_factory=list)

    def move(self, state: MigrationState, log: LogStream) -> MigrationState:
        """What is recorded, with the position in the present log."""
        plan, control, name = self.context.plan, self.context.control, log.name
        copying = state.is_copying(self.sources)
        copied = _copy_ends(state, control, migration=plan.migration, name=name) if copying else ()
        earlier: list[EarlierPlace] = []
        unfinished: int | None = None
        if state.snapshot_end is not None and not copying:
            recent = read_recent(control, plan.migration)
            earlier = earlier_places(plan, recent, source=name, copied=state.snapshot_end)
            unfinished = next((item.batch for item in recent if item.batch > state.batch), None)
        found = log.find_resumption(state.position.parts[name], copied, earlier, without=self.without)
        self.decided += (f"{name}: {line}" for line in found.decisions)
        position = found.position
        if found.decisions and unfinished is not None:
            # The unfinished batch placed rows behind the recorded position. The new server may not have them.
            position = position.must_repair(batch=unfinished)
        if found.decisions:
            read = read_positions(control, plan.migration, [table.logical for table in plan.keyless_tables])
            require_none_read_ahead(read, name, state.position.parts[name])
            require_no_repetition(plan, name, position)
            require_one_writer(control, plan, name, position)
        end = state.snapshot_end
        if found.decisions and end is not None and (copying or found.replaces_queue) and found.copied_until is not None:
            end = end.advance(StreamPosition({name: found.copied_until}))
        return replace(
            state,
            sources={**state.sources, name: log.identity()},
            position=state.position.advance(StreamPosition({name: position})),
            snapshot_end=end,
        )


def require_no_repetition(plan: Plan, name: str, position: LogPosition) -> None:
    """Rows without a key are counted, and a range of which part was applied would be counted twice. Raises Refused
    (SW8487)."""
    tables = ", ".join(table.logical for table in plan.keyless_tables)
    if tables and position.owed != Obligation():
        raise Refused(
            "SW8487",
            f"{name} has another server, whose log does not say which changes were applied. They would be applied "
            f"again, and rows of {tables} have no key: each would count twice. Go back to the old server, or "
            f"{START_OVER}",
        )


def require_one_writer(control: Connection[Any], plan: Plan, name: str, position: LogPosition) -> None:
    """While buckets move one by one, a change that is applied again would replace what the other side has written since
    then. Raises Refused (SW8933)."""
    if position.owed != Obligation() and len(live_directions(control, plan.migration)) > 1:
        raise Refused(
            BOTH_WAYS,
            f"{name} has another server, whose log does not say which changes were applied, while both sides take "
            f"writes: older rows would replace newer ones. Go back to the old server, or {START_OVER}",
        )


def require_none_read_ahead(read: Mapping[str, StreamPosition], name: str, part: PositionPart) -> None:
    """The stream, which is at `part` of the source `name`, passes over events of a table without a key up to where it
    was `read`. Another server's log does not say where that is. Raises Refused (SW8487)."""
    here = StreamPosition({name: part})
    found = {table: StreamPosition({name: at.parts[name]}) for table, at in read.items() if name in at.parts}
    if tables := sorted(table for table, at in found.items() if not here.has_reached(at)):
        raise Refused(
            "SW8487",
            f"{name} has another server, and the stream had not come to the place where rows of {', '.join(tables)} "
            "were read, which have no key: what is before that place would count twice. Go back to the old server, or "
            f"{START_OVER}",
        )


def _copy_ends(
    state: MigrationState, control: Connection[Any], *, migration: str, name: str
) -> tuple[PositionPart, ...]:
    """The farthest position up to which rows were copied from the source; empty when none were."""
    ends = high_positions(control, migration)
    if state.snapshot_end is not None:
        ends.append(state.snapshot_end)
    farthest: PositionPart | None = None
    for end in ends:
        part = end.parts.get(name)
        if part is not None and (farthest is None or not farthest.has_reached(part)):
            farthest = part
    return () if farthest is None else (farthest,)
