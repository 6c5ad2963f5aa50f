"""Has anybody but us changed rows of the migration since a place of the logs? That finds a client that passes the
fence.

Runs in the driver; reads the logs of the side that is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.sources.positions.part import PositionPart
from shardwright.runtime.sources.positions.stream_position import StreamPosition


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
        events, until[source.name] = source.row_events_since(since.parts[source.name])
        found.update(events)
    return LateWrites(found, StreamPosition(until))
