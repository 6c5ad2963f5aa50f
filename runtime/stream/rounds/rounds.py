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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.events.rounds import ConflictFound
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.conflicts import (
    Conflict,
    Round,
    close_round,
    conflicts_of_round,
    open_round,
    read_held_conflicts,
    read_round,
)
from shardwright.runtime.stream.rounds.refused_rows import hold_refused_rows
from shardwright.runtime.stream.rounds.resolve import resolve
from shardwright.runtime.stream.rounds.round_work import LOOK_EVERY, Columns, Partner, Ranges, RoundWork
from shardwright.runtime.stream.rounds.side import RoundSide
from shardwright.specs.direction import Direction

_NAMED: Final = 10
"""So many conflicts of a round have a line each."""


@dataclass
class Rounds:
    """Both directions of one process."""

    plan: Plan
    """Of the way to the shards."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while a round is at work, and by whatever else writes rows: both directions share it."""
    _partner: Partner | None = None
    _held: Sequence[Conflict] | None = None
    _number: int | None = None
    """Of the last round with conflicts; None until the ledger was asked."""
    _at_end: set[Direction] = field(default_factory=set)
    movable: frozenset[str] = field(init=False)
    """The logical tables whose rows go from one shard to another and keep their key."""
    _columns: Columns = field(init=False)

    def __post_init__(self) -> None:
        self.movable = frozenset(table.logical for table in self.plan.tables if table.rows_may_move)
        names = {table.logical: table.columns for table in self.plan.tables}
        self._columns = {
            Direction.FORWARD: {name: [one.source for one in columns] for name, columns in names.items()},
            Direction.BACKWARD: {name: [one.target for one in columns] for name, columns in names.items()},
        }

    def may_end(self, direction: Direction) -> bool:
        """Called once a direction is at the end that was asked for: it ends when the other one is there, too."""
        self._at_end.add(direction)
        return self.have_ended

    @property
    def have_ended(self) -> bool:
        """Whether both directions were at the end that was asked for. The other one may have left since."""
        return len(self._at_end) == len(Direction)

    def take_part(self, side: RoundSide, is_ending: Callable[[], bool], interval: float) -> None:
        """Round after round, until `is_ending`. Raises what ends the direction. `interval`: seconds from one round to
        the next where there is nothing to do."""
        if side.direction.reads_shards:
            self._partner = Partner(side, is_ending)
            self._partner.serve()
            return
        self._held = self._number = None
        while not is_ending():
            began, partner = time.monotonic(), self._partner
            if partner is None or not self._lead(RoundWork(self.plan, side, partner, self._columns), is_ending):
                time.sleep(LOOK_EVERY)
                continue
            time.sleep(max(LOOK_EVERY, began + interval - time.monotonic()))  # another thread may take the lock

    def _lead(self, work: RoundWork, is_ending: Callable[[], bool]) -> bool:
        """A round, where both may write. Returns False where the partner is not there: it comes again, or the run
        ends."""
        with work.partner.turn:
            if work.partner.is_gone:
                return False
            if work.side.may_write() and work.partner.ask(lambda other: other.may_write()).result():
                with self.lock:
                    if not (is_ending() or work.partner.is_ending()):
                        self._round(work)
                work.both(lambda one: one.follow())
        return True

    def _round(self, work: RoundWork) -> None:
        if self._number is None:
            self._number = self._finish_recorded(work)
            hold_refused_rows(work, self._number)
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
                self._run(work, self._number, ranges, ())

    def _run(self, work: RoundWork, number: int, ranges: Ranges, conflicts: Sequence[Conflict]) -> None:
        work.run(ranges, conflicts)
        if hold_refused_rows(work, number):
            self._held = None

    def _read_held(self, work: RoundWork) -> Sequence[Conflict]:
        """Read again as long as there are some: an operator may decide at any time."""
        if self._held is None or self._held:
            context = work.side.batches.context
            self._held = read_held_conflicts(context.control, context.migration)
        return self._held

    def _decide(self, work: RoundWork, ranges: Ranges, held: Sequence[Conflict]) -> list[Conflict]:
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

    def _record(self, work: RoundWork, number: int, ranges: Ranges, conflicts: Sequence[Conflict]) -> None:
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

    def _finish_recorded(self, work: RoundWork) -> int:
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

    def _finish(self, work: RoundWork, number: int, ranges: Ranges, conflicts: Sequence[Conflict]) -> None:
        """Of a round that is recorded."""
        self._run(work, number, ranges, conflicts)
        context = work.side.batches.context
        failpoint("before-round-closed")
        context.transaction(lambda c: close_round(c, context.migration, number))
        failpoint("after-round-closed")
        self._held = None
