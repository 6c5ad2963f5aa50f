"""What did the migration do with each change of a row: which batch had it, what did that decide, where did it take
effect?

Runs in the process of the command; asks a shard's server for the rules' answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.history.decisions import Case, Rules
from shardwright.runtime.history.facts import Change, Decision, DecisionOnRecord, Effect
from shardwright.runtime.history.images import Image, find_changed_columns
from shardwright.runtime.history.ledger_rows import ChangedOnShard, StepOnShard, position_text, utc
from shardwright.runtime.history.leg import Leg, Stream
from shardwright.runtime.history.log_reader import RowChange
from shardwright.runtime.ledger.stage_summary import REREAD
from shardwright.runtime.sources.event import DELETE, INSERT, UPDATE
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.stream_position import StreamPosition

OPERATIONS: Final[dict[str, Literal["insert", "update", "delete"]]] = {
    INSERT: "insert",
    UPDATE: "update",
    DELETE: "delete",
}
_BEFORE: Final = "before the stream counts for the table: the copy has it, or the stream before a rollback"
_ABOUT: Final = 2
"""Seconds. Clocks of servers differ, and a batch may have the events of one log only."""
ChangeId = tuple[str, str]
"""The table that was changed, and the position of the change as the ledgers write it."""
PlaceOf = Callable[[Image | None], str | None]
"""The physical table of the shards where an image belongs; None where that is not known."""


def change_id(change: RowChange) -> ChangeId:
    return change.table, position_text(change.place.file_number, change.place.offset, change.row)


def by_change(recorded: Iterable[DecisionOnRecord]) -> Mapping[ChangeId, DecisionOnRecord]:
    """Of several about one change the last batch's counts, and where the row is afterwards before where it was."""
    ordered = sorted(recorded, key=lambda one: (one.batch, one.decision != "move_out"))
    return {(one.source_table, one.position): one for one in ordered}


@dataclass(frozen=True, slots=True)
class BatchWork:
    """What the shards remember of the batches that have changed the key."""

    changed: tuple[ChangedOnShard, ...]
    steps: tuple[StepOnShard, ...]

    def effects(self, batch: int | None, weight: int, *, op: str, stays_in: str | None) -> Iterator[Effect]:
        """`op`: what the batch does with the key. `stays_in`: the physical table that has the row afterwards; None: the
        only one that the batch writes to."""
        for found in self.changed:
            if found.batch == batch:
                is_left = stays_in not in (None, found.place)
                actions = ("delete",) if op == DELETE else ("move_out",) if is_left else ("upsert", "deferred")
                names = [f"{action}:{weight}" for action in actions]
                shard = found.place.partition(".")[0]
                own = [one for one in self.steps if (one.shard, one.batch) == (shard, batch) and one.step in names]
                last = own[-1] if own else None
                yield Effect(found.place, None if last is None else last.step, None if last is None else last.at)


@dataclass(frozen=True, slots=True)
class ChangeExplainer:
    """Explains the changes of one key in one direction."""

    leg: Leg
    """The direction."""
    table: TablePlan
    """Of its plan."""
    stream: Stream
    """What its ledger says."""
    rules: Rules
    """The plan's."""
    work: BatchWork
    """What the shards remember."""
    copied: tuple[StreamPosition, ...]
    """Positions behind the reads of the row's chunks."""
    place_of: PlaceOf
    """Of images of the read side."""
    recorded: Mapping[ChangeId, DecisionOnRecord]
    """What the flight recorder has of the key: of each change what the last batch that decided about it did."""

    def explain(self, found: Sequence[RowChange]) -> Iterator[Change]:
        """`found`: all that the logs have of the key, those of one log in order."""
        decisions = self._decisions(found)
        for change, decision in zip(found, decisions, strict=True):
            state = self.stream.state_of(change.log, change.place, self.table)
            batch = self._batch(change)
            on_shards = self.leg.plan.direction.reads_shards
            place = self.place_of(change.after)
            is_last = state == "applied" and decision.decision != "merged"
            done = self.work.effects(batch, self.table.weight, op=change.effective, stays_in=place) if is_last else ()
            yield Change(
                self.leg.plan.direction,
                change.log,
                str(change.place),
                change.row,
                change.gtid,
                utc(change.committed_at),
                OPERATIONS[change.op],
                change.table,
                find_changed_columns(self.table, change.before, change.after),
                change.table if on_shards and change.was_key else self.place_of(change.before),
                change.table if on_shards and change.is_key else place,
                state,
                batch,
                decision,
                tuple(done),
            )

    def _batch(self, change: RowChange) -> int | None:
        match self.stream.state_of(change.log, change.place, self.table):
            case "open":
                return None if self.stream.open_batch is None else self.stream.open_batch.batch
            case "applied":
                if (recorded := self.recorded.get(change_id(change))) is not None:
                    return recorded.batch
                batch = self.stream.batch_of(change.log, change.place)
                return None if batch is None else batch.batch
        return None

    def _decisions(self, found: Sequence[RowChange]) -> Sequence[Decision]:
        """Of the changes of a key in one batch the last one counts, with what all of them make of the row. Those of
        several tables on the read side are decided one by one."""
        decisions: dict[int, Decision] = {}
        groups: dict[object, list[int]] = {}
        for at, change in enumerate(found):
            batch = self._batch(change)
            groups.setdefault(at if batch is None else (batch, change.table), []).append(at)
        for group in groups.values():
            some = [found[at] for at in group]
            for at in group[:-1]:
                decisions[at] = Decision("merged", f"{some[-1].place} of the same batch is later", "batch")
            decisions[group[-1]] = self._decide(some, _Around.of(some, found))
        return [decisions[at] for at in range(len(found))]

    def _decide(self, changes: list[RowChange], around: _Around) -> Decision:
        last = changes[-1]
        match self.stream.state_of(last.log, last.place, self.table):
            case "before":
                return Decision(None, _BEFORE, "none")
            case "ahead":
                return Decision(None, "the stream has not read it", "none")
        if (recorded := self.recorded.get(change_id(last))) is not None:
            return Decision(recorded.decision, recorded.why, "recorded")
        batch = self._batch(last)
        if self.leg.plan.direction.reads_shards and batch in {self._batch(other) for other in around.others} - {None}:
            return Decision(REREAD, "events of several tables of the shards in one batch have no order", "batch")
        return self.rules.decide(self._cases(changes, around), in_batch=batch is not None)

    def _cases(self, changes: list[RowChange], around: _Around) -> Iterator[Case]:
        """What the rules may have looked at."""
        first, last, earlier = changes[0], changes[-1], around.earlier
        op = _merge(changes)
        there = earlier.after if earlier is not None else first.before
        homes = {last.table, (earlier or first).table} if around.is_concurrent else {(earlier or first).table}
        for found in self._may_be_there(changes, around, op):
            for is_open in self._may_be_open(last):
                for home in sorted(homes) if found else [None]:
                    yield Case(
                        op,
                        found,
                        is_open,
                        last.table,
                        found_home=home,
                        version=self._version(last.after),
                        version_before=self._version(first.before),
                        found_version=self._version(there) if found else None,
                    )

    def _may_be_open(self, change: RowChange) -> Sequence[bool]:
        """Whether deletes were remembered."""
        if not self.leg.plan.direction.copies:
            return (False,)
        copying = self.stream.is_copying_at(change.log, change.place)
        return (True, False) if copying is None else (copying,)

    def _may_be_there(self, changes: list[RowChange], around: _Around, op: str) -> Sequence[bool]:
        """Whether the row was there. Tables whose shards are not asked count as if an INSERT met no row, and every
        other change one."""
        first, last, earlier = changes[0], changes[-1], around.earlier
        if not self.table.asks_shards:
            return (op != INSERT,)
        if around.is_concurrent:
            return (True, False)
        if self.place_of(first.before) != self.place_of(last.after) and op == UPDATE:
            return (False,)  # it is new where it is now
        if earlier is not None:
            return (earlier.is_key,)
        if self._may_be_copied(first.log, first.place):
            return (True, False)
        return (first.was_key,)

    def _may_be_copied(self, log: str, place: LogPosition) -> bool:
        """Whether a chunk may have brought the row after the change, or not before it."""
        ends = [end for position in self.copied if (end := position.logs.get(log)) is not None]
        return self.leg.plan.direction.copies and (not ends or max(ends) > place)

    def _version(self, image: Image | None) -> str | None:
        name = self.table.writes.version_column
        if name is None or image is None:
            return None
        column = next(column for column in self.table.columns if column.target == name)
        return image.get(column.source)


@dataclass(frozen=True, slots=True)
class _Around:
    """Other changes of the key. `earlier` is the one before, `others` are those of other tables. `is_concurrent`: one
    of them is of about the same time, and logs of several servers have no order between them."""

    earlier: RowChange | None
    others: tuple[RowChange, ...]
    is_concurrent: bool

    @classmethod
    def of(cls, some: Sequence[RowChange], found: Sequence[RowChange]) -> _Around:
        """`some` are changes among `found`, all of one table."""
        at = found.index(some[0])
        times = [change.committed_at or 0 for change in some]
        near = range(min(times) - _ABOUT, max(times) + _ABOUT + 1)
        others = tuple(change for change in found if change.table != some[0].table)
        return cls(found[at - 1] if at else None, others, any((one.committed_at or 0) in near for one in others))


def _merge(changes: Sequence[RowChange]) -> str:
    """What several changes of a key are together: as the plan's merge has it."""
    last = changes[-1].effective
    before = [change.effective for change in changes if change.effective != UPDATE]
    return INSERT if last == UPDATE and before and before[-1] == INSERT else last
