"""Which DDL statement does a log or a queue have next, and where is the boundary behind it?

Pure. Used in the driver.
"""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.part import PositionPart

_SHOWN = 300


@dataclass(frozen=True, slots=True)
class LoggedStatement:
    """A DDL statement of the stream."""

    place: str
    """Its place, "file:offset" or "topic/partition:offset"."""
    after: PositionPart
    """The transaction boundary behind it."""
    database: str
    """The default database of the statement."""
    text: str
    """Its SQL."""
    code: str
    """With the place, what an operator names to skip it."""
    in_log: LogPosition | None = None
    """The same boundary in the server's log, which shows whether a table was changed since. None for a statement in a
    message."""
    of_session: bool = False
    """Whether a session has used a temporary table in it."""
    error: int = 0
    """The number of the error with which it ended at the source; 0: it did not fail."""
    strict: bool = True
    """Whether its session was in strict mode, as far as that is known."""

    @property
    def short(self) -> str:
        """Its SQL as a line for people."""
        words = " ".join(self.text.split())
        return words if len(words) <= _SHOWN else words[:_SHOWN] + "…"

    @property
    def where(self) -> str:
        return f"at {self.place} the stream has {self.short!r}"
