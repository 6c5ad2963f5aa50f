"""How do both directions of a run go on together where both sides write all rows? Round after round: both logs are read
up to their ends, rows that both sides have changed are decided once for both, and both batches take effect before the
next round reads.

A round begins when all that the last one has written is in the logs, and no row is written meanwhile (`lock`). So a
change that is in a log before our own write of its row was made without knowledge of it, and all other concurrent
changes are in one round. A round with conflicts is recorded before anything of it is written: a run that repeats it
reads the same ranges and has the same decisions. A round without conflicts needs no record: the part of it that is
repeated finds our own writes of the other part in the log.

Runs in two threads of the driver. Writes the record of rounds and conflicts on the first shard.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.events.rounds import ConflictFound
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.ledger.conflicts import (
    Conflict,
    Round,
    close_round,
    conflicts_of_round,
    open_round,
    read_held_conflicts,
    read_round,
)
from shardwright.runtime.sources.next_range import NextRange
from shardwright.runtime.stream.rounds.resolve import resolve
from shardwright.runtime.stream.rounds.side import NO_KEYS, KeyHashes, RoundSide, has_own_rows
from shardwright.specs.direction import Direction

_LOOK_EVERY: Final = 0.02
_NAMED: Final = 10
"""So many conflicts of a round have a line each."""

Result = TypeVar("Result")
Columns = Mapping[Direction, Mapping[str, Sequence[str]]]
Ranges = Mapping[Direction, NextRange | None]


@dataclass
class _Partner:
    """The direction that does what the other one asks it to do, in its own thread."""

    side: RoundSide
    is_gone: bool = False
    _asked: tuple[Callable[[], None], Future[Any]] | None = None
    _there: threading.Condition = field(default_factory=threading.Condition)

    def ask(self, work: Callable[[RoundSide], Result]) -> Future[Result]:
        """Its answer will be there, or what ended it."""
        answer: Future[Result] = Future()

        def do() -> None:
            try:
                answer.set_result(work(self.side))
            except BaseException as error:
                answer.set_exception(_failure(str(error)))
                raise

        with self._there:
            if self.is_gone:
                answer.set_exception(_failure("it is gone"))
            else:
                self._asked = do, answer
                self._there.notify_all()
        return answer

    def serve(self, is_ending: Callable[[], bool]) -> None:
        """Works until the run ends. Raises what a piece of work raises."""
        try:
            while True:
                with self._there:
                    self._there.wait_for(lambda: self._asked is not None, timeout=_LOOK_EVERY)
                    asked, self._asked = self._asked, None
                if asked is not None:
                    asked[0]()
                elif is_ending():
                    return
        finally:
            with self._there:
                self.is_gone = True
                if self._asked is not None:
                    self._asked[1].set_exception(_failure("it ends"))


def _failure(why: str) -> StoppedPartWay:
    return StoppedPartWay("SW8304", f"the other direction has stopped: {why}")


@dataclass
class Rounds:
    """Both directions of one process."""

    plan: Plan
    """Of the way to the shards."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while a round is at work, and by whatever else writes rows: both directions share it."""
    _partner: _Partner | None = None
    _held: Sequence[Conflict] | None = None
    _number: int | None = None
    """Of the last round with conflicts; None until the ledger was asked."""
    _at_end: set[Direction] = field(default_factory=set)
    _columns: Columns = field(init=False)

    def __post_init__(self) -> None:
        names = {table.logical: table.columns for table in self.plan.tables}
        self._columns = {
            Direction.FORWARD: {name: [one.source for one in columns] for name, columns in names.items()},
            Direction.BACKWARD: {name: [one.target for one in columns] for name, columns in names.items()},
        }

    def may_end(self, direction: Direction) -> bool:
        """Called once a direction is at the end that was asked for: it ends when the other one is there, too."""
        self._at_end.add(direction)
        return len(self._at_end) == len(Direction)

    def take_part(self, side: RoundSide, is_ending: Callable[[], bool], interval: float) -> None:
        """Round after round, until `is_ending`. Raises what ends the direction. `interval`: seconds from one round to
        the next where there is nothing to do."""
        if side.direction.reads_shards:
            self._partner = _Partner(side)
            self._partner.serve(is_ending)
            return
        self._held = self._number = None
        while not is_ending():
            began, partner = time.monotonic(), self._partner
            if partner is None or partner.is_gone:
                time.sleep(_LOOK_EVERY)
                continue
            if side.may_write() and partner.ask(lambda other: other.may_write()).result():
                work = _RoundWork(self.plan, side, partner, self._columns)
                with self.lock:
                    if not (is_ending() or partner.is_gone):
                        self._round(work)
                work.both(lambda one: one.follow())
            time.sleep(max(_LOOK_EVERY, began + interval - time.monotonic()))  # another thread may take the lock

    def _round(self, work: _RoundWork) -> None:
        if self._number is None:
            self._number = self._finish_recorded(work)
        ranges = work.both(lambda one: one.fetch())
        held = self._read_held(work)
        ordered = [one for one in held if one.take is not None]
        if any(ranges.values()) or ordered:
            conflicts = self._decide(work, ranges, held)
            if conflicts:
                self._number += 1
                self._record(work, self._number, ranges, conflicts)
                self._finish(work, self._number, ranges, conflicts)
            else:
                work.run(ranges, ())

    def _read_held(self, work: _RoundWork) -> Sequence[Conflict]:
        """Read again as long as there are some: an operator may decide at any time."""
        if self._held is None or self._held:
            context = work.side.batches.context
            self._held = read_held_conflicts(context.control, context.migration)
        return self._held

    def _decide(self, work: _RoundWork, ranges: Ranges, held: Sequence[Conflict]) -> list[Conflict]:
        keys = work.hashes(ranges, any_held=bool(held))
        forward, backward = keys[Direction.FORWARD], keys[Direction.BACKWARD]
        wanted = (forward.changed & backward.changed) | forward.late | backward.late
        hashes = work.hashes_of(held)
        touched = (forward.changed | backward.changed) & set(hashes.values())
        again = [one for one in held if one.take is not None or hashes[one.id] in touched]
        if not wanted and not again:
            return []
        wanted |= {hashes[one.id] for one in again}
        met = work.read_rows(ranges, wanted)
        spark = work.side.spark
        return resolve(spark, self.plan, met[Direction.FORWARD], met[Direction.BACKWARD], again)

    def _record(self, work: _RoundWork, number: int, ranges: Ranges, conflicts: Sequence[Conflict]) -> None:
        context = work.side.batches.context
        ends = {direction: one.end_of(ranges[direction]) for direction, one in work.sides.items()}
        opened = Round(number, True, ends)
        failpoint("before-round-recorded")
        context.transaction(lambda c: open_round(c, context.migration, opened, conflicts))
        failpoint("after-round-recorded")
        for one in conflicts[:_NAMED]:
            context.emit(ConflictFound(str(one), one.kind, one.decision))
        if len(conflicts) > _NAMED:
            context.emit(ConflictFound(f"{len(conflicts) - _NAMED} more rows", "of several kinds", "see the list"))

    def _finish_recorded(self, work: _RoundWork) -> int:
        """A round that an earlier attempt has begun. Returns the number of the last round; 0: there was none."""
        context = work.side.batches.context
        found = read_round(context.control, context.migration)
        if found is None:
            return 0
        if found.is_open:
            conflicts = conflicts_of_round(context.control, context.migration, found.number)
            ranges = work.both(lambda one: one.fetch(found.ends[one.direction]))
            self._finish(work, found.number, ranges, conflicts)
        return found.number

    def _finish(self, work: _RoundWork, number: int, ranges: Ranges, conflicts: Sequence[Conflict]) -> None:
        """Of a round that is recorded."""
        work.run(ranges, conflicts)
        context = work.side.batches.context
        failpoint("before-round-closed")
        context.transaction(lambda c: close_round(c, context.migration, number))
        failpoint("after-round-closed")
        self._held = None


@dataclass(frozen=True, slots=True)
class _RoundWork:
    """What both directions do in one round, at the same time."""

    plan: Plan
    side: RoundSide
    partner: _Partner
    columns: Columns

    @property
    def sides(self) -> Mapping[Direction, RoundSide]:
        return {one.direction: one for one in (self.side, self.partner.side)}

    def both(self, work: Callable[[RoundSide], Result]) -> dict[Direction, Result]:
        """Raises what the own direction raises, else what the other one does; once both have ended."""
        theirs = self.partner.ask(work)
        try:
            ours = work(self.side)
        finally:
            error = theirs.exception()
        if error is not None:
            raise error
        return {self.side.direction: ours, self.partner.side.direction: theirs.result()}

    def run(self, ranges: Ranges, conflicts: Sequence[Conflict]) -> None:
        def run(one: RoundSide) -> None:
            one.run(ranges[one.direction], conflicts, self.columns[one.direction])

        self.both(run)

    def hashes(self, ranges: Ranges, *, any_held: bool) -> Mapping[Direction, KeyHashes]:
        touched = {direction: one.tables_with_changes(ranges[direction]) for direction, one in self.sides.items()}
        in_both = frozenset.intersection(*touched.values())

        def hashes(one: RoundSide) -> KeyHashes:
            found = ranges[one.direction]
            if found is None:
                return NO_KEYS
            tables = touched[one.direction] if has_own_rows(found) or any_held else in_both
            return one.hashes(found, tables) if tables else NO_KEYS

        return self.both(hashes)

    def read_rows(self, ranges: Ranges, keys: Collection[int]) -> Mapping[Direction, list[tuple[Any, ...]]]:
        names = frozenset[str]().union(
            *(one.tables_with_changes(ranges[direction]) for direction, one in self.sides.items())
        )

        def read(one: RoundSide) -> list[tuple[Any, ...]]:
            found = ranges[one.direction]
            return [] if found is None or not names else one.read_rows(found, names, keys)

        return self.both(read)

    def hashes_of(self, held: Sequence[Conflict]) -> Mapping[int, int]:
        """By the conflict's number, its key's hash as the plan's SQL computes it."""
        if not held:
            return {}
        return self.side.hashes_of([(one.id, one.logical, list(one.key)) for one in held])
