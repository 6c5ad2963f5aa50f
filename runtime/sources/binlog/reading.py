"""What a log has next: range after range, each ending where a transaction does, found without decoding rows.

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from shardwright.runtime.sources.binlog.log_range import Log, LogRange
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.binlog.server_log import HeadWatch
from shardwright.runtime.sources.source import FetchedRange
from shardwright.specs.environment.environment import BatchLimits


@dataclass
class LogReading:
    """Finds the ranges of one log. `name` is the source's. A large range is cut into at most `tasks` parts, which Spark
    reads at the same time."""

    name: str
    log: Log
    limits: BatchLimits
    tasks: int
    _watch: HeadWatch = field(init=False)

    def __post_init__(self) -> None:
        self._watch = HeadWatch(self.log.endpoint)

    def fetch(self, start: LogPosition) -> FetchedRange | None:
        head = self._watch.head(start.server)
        if head is not None and (head.file, head.offset) == (start.file, start.offset):
            return None  # at rest: no dump is requested
        found = next_boundary(
            self.log,
            start,
            limits=self.limits,
            head=None if head is None else replace(head, epoch=start.epoch),
        )
        if found.end == start:
            return None
        places = [start, *_evenly(found.cuts, self.tasks - 1), found.end]
        ranges = tuple(LogRange(self.name, one, other) for one, other in pairwise(places))
        return FetchedRange(found.end, ranges, counts=found.counts)

    def close(self) -> None:
        self._watch.close()


def _evenly(cuts: Sequence[LogPosition], most: int) -> list[LogPosition]:
    """At most `most` of the cuts, so that the parts between them have about the same size."""
    count = min(most, len(cuts))
    return [cuts[(number + 1) * (len(cuts) + 1) // (count + 1) - 1] for number in range(count)]
