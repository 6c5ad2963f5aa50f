"""Which range of a log is read, and what was prepared before it?

Pure. Made in the driver; tasks get its JSON form.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.pending import NONE_PENDING, Pending


@dataclass(frozen=True, slots=True)
class LogRange:
    """A range of the log of source `log`, between two transaction boundaries."""

    log: str
    start: LogPosition
    end: LogPosition
    prepared: Pending = field(default_factory=lambda: NONE_PENDING, compare=False)
    """XA transactions that were prepared before the start, as far as they are known; others are looked for."""
