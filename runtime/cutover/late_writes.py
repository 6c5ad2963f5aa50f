"""Has anybody but us changed rows of the migration since a place of the logs? That finds a client that passes the
fence.

Runs in the driver; reads the logs of the side that is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.binlog.walk import walk
from shardwright.runtime.sources.position import PositionPart, StreamPosition


@dataclass(frozen=True, slots=True)
class LateWrites:
    """What applications have written between two places."""

    events: Mapping[str, int]
    """Table ("database.table") -> events of rows; one event may hold many rows."""
    until: StreamPosition
    """The logs' end, up to which was read."""

    def __str__(self) -> str:
        return ", ".join(f"{table} ({count} events)" for table, count in sorted(self.events.items()))


def late_writes(way: Way, since: StreamPosition) -> LateWrites:
    """In the logs of `way.servers.sources`. `since` is moved to the server that holds a source now.

    Raises Refused where a log does not reach back that far, or has an event that cannot be followed.
    """
    found: Counter[str] = Counter()
    until: dict[str, PositionPart] = {}
    for source in way.logs:
        part = since.parts[source.name]
        assert isinstance(part, LogPosition)
        start = source.resumed(part, (), ()).position
        assert isinstance(start, LogPosition)
        end = source.at_position(start).head()
        for step in walk(source.log(), start, end):
            if step.table is not None:
                found[step.table.name] += 1
        until[source.name] = end
    return LateWrites(found, StreamPosition(until))
