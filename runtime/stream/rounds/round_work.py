"""How do both directions of a run do one piece of work at the same time? The one that leads asks the other one, and
both have ended before it continues.

Runs in two threads of the driver; writes what a batch writes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import StoppedPartWay
from shardwright.runtime.ledger.conflicts import Conflict
from shardwright.runtime.sources.next_range import NextRange
from shardwright.runtime.stream.rounds.side import NO_KEYS, KeyHashes, RoundSide, has_own_rows
from shardwright.specs.direction import Direction

LOOK_EVERY: Final = 0.02

Result = TypeVar("Result")
Columns = Mapping[Direction, Mapping[str, Sequence[str]]]
Ranges = Mapping[Direction, NextRange | None]


@dataclass
class Partner:
    """The direction that does what the other one asks it to do, in its own thread."""

    side: RoundSide
    """All of it is called in this direction's thread."""
    is_ending: Callable[[], bool]
    """Whether its run ends: no round begins then."""
    turn: threading.Lock = field(default_factory=threading.Lock)
    """Held by the direction that leads from its first question of a round to its last: the partner stays so long."""
    is_gone: bool = False
    """Whether it answers no more."""
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

    def serve(self) -> None:
        """Works until the run ends, and the round that is at work then. Raises what a piece of work raises."""
        try:
            while True:
                with self._there:
                    self._there.wait_for(lambda: self._asked is not None, timeout=LOOK_EVERY)
                    asked, self._asked = self._asked, None
                if asked is not None:
                    asked[0]()
                elif self.is_ending() and self._leave():
                    return
        finally:
            with self._there:
                self.is_gone = True
                if self._asked is not None:
                    self._asked[1].set_exception(_failure("it ends"))

    def _leave(self) -> bool:
        """Whether no round is at work."""
        if not self.turn.acquire(blocking=False):
            return False
        self.is_gone = True
        self.turn.release()
        return True


def _failure(why: str) -> StoppedPartWay:
    return StoppedPartWay("SW8304", f"the other direction has stopped: {why}")


@dataclass(frozen=True, slots=True)
class RoundWork:
    """What both directions do in one round, at the same time."""

    plan: Plan
    side: RoundSide
    partner: Partner
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
            return [] if found is None or not names else one.read_rows(found, names, keys, self.columns[one.direction])

        return self.both(read)

    def hashes_of(self, held: Sequence[Conflict]) -> Mapping[int, int]:
        """By the conflict's number, its key's hash as the plan's SQL computes it."""
        if not held:
            return {}
        return self.side.hashes_of([(one.id, one.logical, list(one.key)) for one in held])
