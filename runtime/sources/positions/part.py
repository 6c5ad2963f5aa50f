"""What does a position in one source answer, whether the source is a log or a queue?

Pure. `log_position` and `queue_offsets` are the two kinds. Code that needs to know which kind a part is lacks a method
of this protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

KeptPlace = tuple[int, int, int] | Mapping[str, int]
"""The short form of a position, for a dead letter: epoch, file number and offset in a log; partition -> the offset of
the next message in a queue."""


class PositionPart(Protocol):
    """A position in one source."""

    @property
    def epoch(self) -> int:
        """How many times the stream has gone over to another server."""
        ...

    @property
    def partitions(self) -> int:
        """How many sequences of events the source has that have no order among each other."""
        ...

    @property
    def may_bring_earlier(self) -> bool:
        """Whether events from before this position may come once more behind it, without anything being owed."""
        ...

    @property
    def may_repeat(self) -> bool:
        """Whether the next batch may have events that were applied before a change of servers."""
        ...

    @property
    def repair_from_batch(self) -> int | None:
        """The first batch whose rows must be read again before anything else; None where none has to be."""
        ...

    @property
    def event_place(self) -> tuple[int, int, int]:
        """Epoch, file number and offset for an event that is made up at this position."""
        ...

    @property
    def short(self) -> KeptPlace:
        """The form that dead letters keep."""
        ...

    def is_past(self, kept: KeptPlace) -> bool:
        """Whether everything before `kept` is before this position."""
        ...

    def has_reached(self, other: PositionPart) -> bool:
        """Whether everything before `other` is before this position. A position in a queue is before each one in the
        log that has replaced the queue: the log is read from before the queue's loss."""
        ...

    def bytes_before(self, other: Any) -> int | None:
        """How many bytes of the source are between this position and `other`; None where that is not known."""
        ...

    def must_replay(self, *, until: Any) -> Any:
        """This position, from where the next batch must at least reach `until`, because part of what is between them
        may have been applied."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The form that ledgers keep."""
        ...
