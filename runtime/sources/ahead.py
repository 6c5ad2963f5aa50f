"""What a source has next: a range that becomes part of one batch, and what is known of it before it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from shardwright.runtime.sources.binlog.log_range import LogRange
from shardwright.runtime.sources.event_counts import EventCounts
from shardwright.runtime.sources.position import PositionPart

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class Ahead:
    """`end` is where the range ends. It is read as `ranges` of a log, or as the frame that `events` makes. `counts` are None
    where only reading tells; rows of a log are reckoned by their size, so their number is about right."""

    end: PositionPart
    ranges: Sequence[LogRange] = ()
    events: Callable[[], DataFrame] | None = None
    counts: EventCounts | None = None


class Reading(Protocol):
    """A source that is read from a place on, range after range; what it keeps open is its own."""

    def ahead(self, start: Any) -> Ahead | None:
        """What comes next behind `start`, within the limits of one batch; None when there is nothing new. Raises the
        RuntimeFailure that stands right at `start`."""
        ...

    def close(self) -> None: ...
