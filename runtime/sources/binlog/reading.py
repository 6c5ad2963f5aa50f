"""What a log has next: range after range, each ending where a transaction does, found without decoding rows.

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.look_back import LookBack
from shardwright.runtime.sources.binlog.prepared_transactions import PreparedTransactions
from shardwright.runtime.sources.binlog.scan import Cut, RangeStart, next_boundary
from shardwright.runtime.sources.binlog.server_log import HeadWatch
from shardwright.runtime.sources.positions.log_position import LogPosition, LogRange
from shardwright.runtime.sources.positions.pending import NONE_PENDING
from shardwright.runtime.sources.source import FetchedRange
from shardwright.specs.environment.environment import BatchLimits

Place = TypeVar("Place")


@dataclass(frozen=True, slots=True)
class _LastRange:
    """It was found, and perhaps not passed: a range with nothing but ledgers' rows may wait."""

    start: LogPosition
    end: LogPosition
    range: FetchedRange

    def is_all(self, start: LogPosition, head: LogPosition | None) -> bool:
        """Whether the log has nothing else behind `start`, so that it is not scanned again."""
        return start == self.start and head is not None and (head.file, head.offset) == (self.end.file, self.end.offset)


@dataclass
class LogReading:
    """Finds the ranges of one log."""

    name: str
    """The source's name."""
    log: Log
    """How it is read."""
    limits: BatchLimits
    """How large a range may be."""
    tasks: int
    """A large range is cut into at most so many parts, which Spark reads at the same time."""
    keys: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Captured table -> which columns of an image are its key; for what is left out."""
    _watch: HeadWatch = field(init=False)
    _reached: Cut | None = field(init=False, default=None)
    """Where the last range ended."""
    _look_back: LookBack = field(init=False)
    _last: _LastRange | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._watch = HeadWatch(self.log.endpoint)

    def fetch(self, start: LogPosition, until: LogPosition | None = None) -> FetchedRange | None:
        if until is not None and start >= until:
            return None
        head = self._watch.head(start.server)
        if head is not None and (head.file, head.offset) == (start.file, start.offset):
            return None  # at rest: no dump is requested
        if until is None and self._last is not None and self._last.is_all(start, head):
            return self._last.range
        begin, prepared = self._begin(start)
        known = RangeStart(None if head is None else replace(head, epoch=start.epoch), prepared)
        found = next_boundary(self.log, start, limits=self.limits, until=until, known=known, keys=self.keys)
        if found.end == start:
            return None
        self._reached = Cut(found.end, found.pending)
        cuts = [begin, *_evenly(found.cuts, self.tasks - 1), self._reached]
        ranges = tuple(
            LogRange(self.name, one.place, other.place, {**prepared.looked_up, **one.pending})
            for one, other in pairwise(cuts)
        )
        self._last = _LastRange(start, found.end, FetchedRange(found.end, ranges, None, found.counts, found.left_out))
        return self._last.range

    def _begin(self, start: LogPosition) -> tuple[Cut, PreparedTransactions]:
        """What is prepared at `start` is known where the last range ended there."""
        if self._reached is None or self._reached.place != start:
            self._reached = Cut(start, NONE_PENDING)
            self._look_back = LookBack(self.log.endpoint, start)
        begin = Cut(start, self._reached.pending)
        return begin, PreparedTransactions(self.log, start, begin.pending, self._look_back)

    def close(self) -> None:
        self._watch.close()


def _evenly(cuts: Sequence[Place], most: int) -> list[Place]:
    """At most `most` of the cuts, so that the parts between them have about the same size."""
    count = min(most, len(cuts))
    return [cuts[(number + 1) * (len(cuts) + 1) // (count + 1) - 1] for number in range(count)]
